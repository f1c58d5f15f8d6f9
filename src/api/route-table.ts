import type { AnyEndpoint } from './endpoint.js';
import { withOpenApi } from './openapi.js';
import { hideReply } from './routes/hide-replies.js';
import { createPost, deletePost } from './routes/manage-posts.js';
import { getPost, getPosts } from './routes/post-lookup.js';
import { getMe, getUser, getUserByUsername, getUsers, getUsersByUsernames } from './routes/user-lookup.js';

/** Every endpoint of the interface, in the order of the reference page. */
export const endpoints: readonly AnyEndpoint[] = withOpenApi([
  createPost,
  deletePost,
  getPost,
  getPosts,
  hideReply,
  getUser,
  getUsers,
  getUserByUsername,
  getUsersByUsernames,
  getMe,
]);
