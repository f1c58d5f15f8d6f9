import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { ANY_METHOD, Router } from './router.js';

function routerOf(...routes: readonly (readonly [method: string, path: string])[]): Router<string> {
  const router = new Router<string>();
  for (const [method, path] of routes) router.add(method, path, `${method} ${path}`);
  return router;
}

describe('a router', () => {
  const router = routerOf(
    ['GET', '/'],
    ['GET', '/{name}'],
    ['GET', '/2/users/{id}'],
    ['PUT', '/2/users/{id}'],
    ['GET', '/2/users/search'],
    ['GET', '/2/users/{user}/posts/{post}'],
    ['POST', '/2/users/me/posts/{post}'],
    [ANY_METHOD, '/2/chat/*'],
  );

  test.each([
    ['GET', '/', 'GET /', {}],
    ['GET', '/alice', 'GET /{name}', { name: 'alice' }],
    ['GET', '/2/users/7', 'GET /2/users/{id}', { id: '7' }],
    ['GET', '/2/users/search', 'GET /2/users/search', {}],
    ['GET', '/2/users/7/posts/8', 'GET /2/users/{user}/posts/{post}', { user: '7', post: '8' }],
    ['GET', '/2/users/me/posts/8', 'GET /2/users/{user}/posts/{post}', { user: 'me', post: '8' }],
    ['POST', '/2/users/me/posts/8', 'POST /2/users/me/posts/{post}', { post: '8' }],
    ['DELETE', '/2/chat/a/b', 'ANY /2/chat/*', { '*': 'a/b' }],
    ['GET', '/2/users/a%2Fb', 'GET /2/users/{id}', { id: 'a/b' }],
    ['GET', '/%32/us%65rs/7', 'GET /2/users/{id}', { id: '7' }],
  ])('finds %s %s', (method, path, target, values) => {
    expect(router.find(method, path)).toEqual({ target, values });
  });

  test.each([
    ['GET', '/2'],
    ['PUT', '/2/users/search'],
    ['GET', '/2/users/'],
    ['GET', '/2/users/7/'],
    ['GET', '//2/users/7'],
    ['GET', '/2/chat'],
    ['GET', '/2/Users/7'],
    ['DELETE', '/2/users/7'],
    ['GET', '/2/users/__proto__/x'],
  ])('finds nothing for %s %s', (method, path) => {
    expect(router.find(method, path)).toBeUndefined();
  });

  it('lists the methods of a path', () => {
    expect(router.targets('/2/users/7').map(([method]) => method)).toEqual(['GET', 'PUT']);
    expect(router.targets('/2/users/me/posts/8').map(([method]) => method)).toEqual(['POST', 'GET']);
    expect(router.targets('/2/users/search').map(([method]) => method)).toEqual(['GET']);
    expect(router.targets('/2/nothing')).toEqual([]);
  });

  it('throws for invalid percent-encoding and for colliding routes', () => {
    expect(() => router.find('GET', '/2/users/%zz')).toThrow(URIError);
    expect(() => router.find('GET', '/2/users/%ff')).toThrow(URIError);
    expect(() => routerOf(['GET', '/a/{b}'], ['GET', '/a/{c}'])).toThrow('two routes for GET /a/{c}');
  });

  it('finds every path that it was given, whatever the others', () => {
    const step = fc.constantFrom('a', 'b', 'c', '{x}', '{y}');
    const paths = fc.uniqueArray(
      fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => `/${steps.join('/')}`),
      { minLength: 1, selector: (path) => path.replaceAll(/\{.\}/g, '{}') },
    );
    fc.assert(
      fc.property(paths, (templates) => {
        const all = routerOf(...templates.map((path) => ['GET', path] as const));
        for (const path of templates) {
          const found = all.find('GET', path.replaceAll(/\{.\}/g, 'other'));
          expect(found?.target).toBe(`GET ${path}`);
        }
      }),
    );
  });
});
