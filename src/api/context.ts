import type { PostService } from '../services/posts/posts.js';
import type { Views } from '../views/views.js';

/** What handlers work with: services that act and views that show. */
export interface ApiContext {
  readonly posts: PostService;
  readonly views: Views;
}
