import { enhanceActions } from './actions.js';
import { enhanceCompletions } from './completions.js';
import { enhanceComposers } from './composer/composer.js';
import { enhanceDraftList } from './drafts/draft-list.js';
import { forgetDraftsAtSignOut } from './drafts/sign-out.js';
import { enhancePostMenus } from './post-menu.js';
import { enhanceCopying } from './copy.js';
import { enhanceCropping } from './cropping/cropping.js';
import { enhanceFilter } from './filter.js';
import { openClickedPosts } from './open-post.js';
import { enhanceReading } from './reading/reading.js';
import { keepOffline } from './offline.js';
import { sendKeptDeletions } from './pending-deletions.js';

// The pages work without this script. It is a module: it runs when the page is read, and before `load`.
enhanceActions();
enhanceReading();
openClickedPosts();
enhanceComposers();
enhanceDraftList();
forgetDraftsAtSignOut();
enhanceCompletions();
enhancePostMenus();
sendKeptDeletions();
keepOffline();
enhanceCopying();
enhanceFilter();
enhanceCropping();
