/**
 * Who may import whom (ARCHITECTURE.md). A breach or a cycle fails the build.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const folders = {
  core: [],
  query: ['core'],
  storage: ['core', 'query'],
  services: ['core', 'query', 'storage'],
  auth: ['core', 'query', 'storage', 'services'],
  views: ['core', 'storage'],
  api: ['core', 'query', 'services', 'auth', 'views'],
  web: ['core', 'query', 'services', 'auth', 'views', 'api'],
  jobs: ['core', 'services', 'storage'],
  world: ['core', 'services', 'storage'],
  archive: ['core', 'services', 'storage'],
  processes: ['core', 'auth', 'storage'],
  operations: ['core', 'storage', 'auth', 'api'],
};

const folderRules = Object.entries(folders).map(([folder, allowed]) => ({
  name: `${folder}-imports`,
  severity: 'error',
  comment: `src/${folder} may import only: ${['itself', ...allowed].join(', ')}`,
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/(${[folder, ...allowed].join('|')})/` },
}));

/** A package that only one folder may know. */
const only = (name, packages, folder) => ({
  name,
  severity: 'error',
  from: { path: '^src/', pathNot: folder },
  to: { path: `node_modules/(${packages})/` },
});

module.exports = {
  forbidden: [
    ...folderRules,
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    only('fastify-stays-in-api', 'fastify|find-my-way', '^src/api/'),
    only('sqlite-stays-in-its-engine', 'better-sqlite3', '^src/storage/(sqlite/|file-lock\\.ts)'),
    only('postgres-stays-in-its-engine', 'pg', '^src/storage/postgres/'),
    only('foreign-functions-stay-in-one-file', 'koffi', '^src/auth/shared-file\\.ts'),
    {
      name: 'engines-are-chosen-at-the-root',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '^src/(storage/(sqlite|postgres)/|start\\.ts|storage/open-engine\\.ts)',
      },
      to: { path: '^src/storage/(sqlite|postgres)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types'] },
  },
};
