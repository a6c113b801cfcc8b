import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package that Querent installs to run, for any platform, and its license as an SPDX expression. */
export interface DependencyLicense {
  readonly name: string
  readonly version: string
  /** Null if the package names none that is known. */
  readonly license: string | null
}

/** Licenses that Querent's own, Apache-2.0, may be distributed with. MPL-2.0 asks to share changes of its own files. */
const allowedLicenses: ReadonlySet<string> = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC0-1.0', 'ISC', 'MIT'],
  ...['MPL-2.0', 'Unlicense', 'Bitstream-Vera'],
])

/** Packages whose license a person has read, because their package.json names none or refers to a file. */
const licensesRead: ReadonlyMap<string, string> = new Map([
  ['dejavu-fonts-ttf', 'Bitstream-Vera'],
  ['flatbuffers', 'Apache-2.0'],
])

interface LockedPackage {
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  readonly link?: boolean
}

/** What older packages have in package.json instead of `license`. */
interface OldManifest {
  readonly license?: string | { readonly type?: string }
  readonly licenses?: readonly { readonly type?: string }[]
}

/** Runtime dependencies by package-lock.json in `folder`, each version once, by name. */
export const readDependencyLicenses = (folder: string): readonly DependencyLicense[] => {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  const found = new Map<string, DependencyLicense>()
  for (const [path, locked] of Object.entries(lock.packages as Record<string, LockedPackage>)) {
    if (path === '' || locked.dev || locked.link) continue
    const name = locked.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const license = licensesRead.get(name) ?? locked.license ?? licenseInManifest(join(folder, path))
    const version = locked.version ?? ''
    found.set(`${name}@${version}`, { name, version, license: license ?? null })
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
}

const licenseInManifest = (folder: string): string | undefined => {
  const file = join(folder, 'package.json')
  if (!existsSync(file)) return undefined
  const { license, licenses } = JSON.parse(readFileSync(file, 'utf8')) as OldManifest
  const [only, ...others] = licenses ?? []
  return typeof license === 'string'
    ? license
    : (license?.type ?? (others.length === 0 ? only?.type : undefined))
}

/** Whether a license expression is on the list: every part of an AND, any part of an OR. AND binds more closely. */
export const isAllowedLicense = (expression: string | null): boolean => {
  const choices = expression?.replace(/^\((.*)\)$/, '$1').split(' OR ') ?? []
  return choices.some(choice => choice.split(' AND ').every(part => allowedLicenses.has(part.trim())))
}

/** A Markdown table of licenses, the most frequent first. */
export const renderLicenses = (dependencies: readonly DependencyLicense[]): string => {
  const byLicense = Map.groupBy(dependencies, ({ license }) => license ?? 'unknown')
  const rows = [...byLicense]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([license, ofIt]) => `| ${license} | ${ofIt.length} | ${ofIt.map(labelOf).join(', ')} |`)
  return ['| license | packages | which |', '|---|---|---|', ...rows, ''].join('\n')
}

const labelOf = ({ name, version }: DependencyLicense): string => `${name} ${version}`
