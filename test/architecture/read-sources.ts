import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parse } from '@babel/parser'
import type { Node } from '@babel/types'

/** A TypeScript file of the repository. */
export interface SourceFile {
  /** From the root of the repository. */
  readonly path: string
  /** Every module that it names, types included. */
  readonly imports: readonly string[]
  readonly text: string
}

/** The root of the repository. */
export const root = join(import.meta.dirname, '../..')

/** Every TypeScript file of the repository that git does not ignore. */
export const readSources = (): readonly SourceFile[] => listSources().map(readSource)

function listSources(): string[] {
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  return listed.split('\n').filter(path => path !== '' && existsSync(join(root, path)))
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(root, path), 'utf8')
  const tree = parse(text, {
    sourceType: 'module',
    plugins: path.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'],
  })
  return { path, text, imports: importsIn(tree.program) }
}

/** Every module named by an import, an export-from, a dynamic import or an import type, at any depth. */
function importsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(importsIn)
  if (typeof node !== 'object' || node === null || !('type' in node)) return []
  const named = sourceOf(node as Node)
  return [...(named === null ? [] : [named]), ...Object.values(node).flatMap(importsIn)]
}

function sourceOf(node: Node): string | null {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
      return node.source.value
    case 'ExportNamedDeclaration':
      return node.source?.value ?? null
    case 'ImportExpression':
      return node.source.type === 'StringLiteral' ? node.source.value : null
    case 'TSImportType':
      return node.source.type === 'StringLiteral' ? node.source.value : null
    default:
      return null
  }
}

/** The files of ours that a file imports, as paths from the root of the repository. */
export function ownImports(file: SourceFile): string[] {
  return file.imports
    .filter(specifier => specifier.startsWith('.'))
    .map(specifier => normalize(join(dirname(file.path), specifier)))
}

/** What is loaded together with a file. Leaves out types, and what the file imports later with `import()`. */
export function staticImports(path: string): string[] {
  const { program } = parse(readFileSync(join(root, path), 'utf8'), {
    sourceType: 'module',
    plugins: ['typescript'],
  })
  return program.body.flatMap(node =>
    node.type === 'ImportDeclaration' && node.importKind !== 'type'
      ? [isPackage(node.source.value) ? node.source.value : normalize(join(dirname(path), node.source.value))]
      : [],
  )
}

/** Whether an import names a package, and not a file of ours. */
export function isPackage(specifier: string): boolean {
  return !specifier.startsWith('.') && !specifier.startsWith('src/')
}

/** The package that an import names, without the path in it. Null if it names a file or a module of Node. */
export function packageName(specifier: string): string | null {
  if (specifier.startsWith('.') || specifier.startsWith('node:')) return null
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? null)
}

/** Whether a path is a place, or lies below it. */
export function isIn(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}/`)
}

/** The text of a file without comments and without what stands in quotes: `sleep(9)` in a SQL statement is not our code. */
export function withoutStrings(text: string): string {
  return withoutComments(text).replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "''")
}

/** The text of a file without its comments. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
}
