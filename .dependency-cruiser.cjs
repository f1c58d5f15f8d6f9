/**
 * The folders that each folder may import (ARCHITECTURE.md). Any other import and any cycle fail the build.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const folders = {
  core: [],
  testing: [],
  query: ['core'],
  database: ['core', 'query'],
  stores: ['core', 'query', 'database'],
  services: ['core', 'query', 'database', 'stores'],
  limits: ['core', 'database', 'stores'],
  auth: ['core', 'database', 'stores', 'services', 'limits'],
  views: ['core', 'database', 'stores'],
  http: ['core', 'auth', 'limits'],
  api: ['core', 'query', 'services', 'auth', 'limits', 'views', 'http'],
  journal: ['core', 'auth', 'limits', 'http', 'api'],
  web: ['core', 'query', 'services', 'auth', 'limits', 'views', 'http', 'api', 'journal'],
  lead: ['core', 'database'],
  world: ['core', 'database', 'stores', 'services'],
  archive: ['core', 'database', 'stores', 'services'],
  operations: ['core', 'database', 'stores', 'auth', 'limits', 'http', 'api', 'journal'],
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
    only('sqlite-stays-in-its-engine', 'better-sqlite3', '^src/database/(sqlite/|file-lock\\.ts)'),
    only('postgres-stays-in-its-engine', 'pg', '^src/database/postgres/'),
    only('mcp-is-loaded-late', '@modelcontextprotocol', '^src/api/mcp/protocol\\.ts'),
    only('tracing-is-loaded-late', '@opentelemetry', '^src/operations/tracing/'),
    {
      name: 'engines-are-chosen-at-the-root',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: '^src/(database/(sqlite|postgres)/|server/start\\.ts|database/open-engine\\.ts)',
      },
      to: { path: '^src/database/(sqlite|postgres)/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'types'] },
  },
};
