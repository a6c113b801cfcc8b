import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import type { Environment } from './env.ts'
import type { Problem } from './problems.ts'

/** querent.yml as plain data, and the place of each part in the file. */
export interface SettingsFile {
  /** Absolute path; null if there is no file. */
  readonly path: string | null
  readonly data: unknown
  /** `querent.yml:12:3`: the place of the value at a path, or of its key, or of the nearest group around it. */
  readonly whereIs: (path: readonly PropertyKey[], part: 'key' | 'value') => string
  readonly problems: readonly Problem[]
}

/** Finds querent.yml (QUERENT_CONFIG, else the folder of the command, else of the project) and reads it as YAML. */
export const readSettingsFile = (environment: Environment): SettingsFile => {
  const named = environment.pathIn('QUERENT_CONFIG')
  const path = named ?? findBeside([environment.workingFolder, environment.projectFolder])
  if (path === null) return without(null)
  const shown = shortPath(environment.workingFolder, path)
  const text = readText(path)
  if (text === null) {
    const message = 'QUERENT_CONFIG names a file that cannot be read. Correct it, or unset it.'
    return { ...without(path), problems: [{ where: shown, message }] }
  }
  return parseSettings(path, shown, text)
}

const without = (path: string | null): SettingsFile => ({
  path,
  data: {},
  whereIs: () => 'querent.yml',
  problems: [],
})

const findBeside = (folders: readonly string[]): string | null =>
  folders.map(folder => join(folder, 'querent.yml')).find(path => existsSync(path)) ?? null

const shortPath = (folder: string, path: string): string => {
  const short = relative(folder, path)
  return short.startsWith('..') ? path : short
}

const readText = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

const parseSettings = (path: string, shown: string, text: string): SettingsFile => {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { lineCounter, prettyErrors: false })
  const placeOf = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset)
    return `${shown}:${line}:${col}`
  }
  const problems = document.errors.map(error => ({
    where: placeOf(error.pos[0]),
    message: `This is not valid YAML: ${error.message}`,
  }))
  const isReadable = document.errors.every(error => error.code === 'DUPLICATE_KEY')

  const whereIs: SettingsFile['whereIs'] = (steps, part) => {
    let node: unknown = document.contents
    let offset = offsetOf(node) ?? 0
    for (const [depth, step] of steps.entries()) {
      if (isAlias(node)) node = node.resolve(document)
      const isLast = depth === steps.length - 1
      if (isMap(node)) {
        const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
        if (!pair) break
        node = pair.value
        const value = isLast && part === 'value' && isScalar(node) && node.value !== null
        offset = offsetOf(value ? node : pair.key) ?? offset
      } else if (isSeq(node)) {
        node = node.items[Number(step)]
        offset = offsetOf(node) ?? offset
      } else break
    }
    return placeOf(offset)
  }
  try {
    return { path, data: isReadable ? (document.toJS() ?? {}) : {}, whereIs, problems }
  } catch (error) {
    // Aliases without an anchor, or that expand without end.
    const message = `This is not valid YAML: ${error instanceof Error ? error.message : String(error)}`
    return { path, data: {}, whereIs, problems: [...problems, { where: `${shown}:1:1`, message }] }
  }
}

const offsetOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined)

/** A `${...}` that could not be filled, and why. */
interface UnresolvedVariable {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** Data with every `${NAME}` filled. `filled` holds the paths (see `pathKey`) whose text came from a variable. */
interface Interpolated {
  readonly data: unknown
  readonly filled: ReadonlySet<string>
  readonly unfilled: readonly UnresolvedVariable[]
}

/** A path as a key of a set or map. */
export const pathKey = (path: readonly PropertyKey[]): string => JSON.stringify(path.map(String))

/** Fills `${NAME}` in every text of the data from the environment; `$${` stands for a plain `${`. */
export const interpolate = (data: unknown, lookUp: (name: string) => string | undefined): Interpolated => {
  const filled = new Set<string>()
  const unfilled: UnresolvedVariable[] = []

  const fill = (value: unknown, path: readonly PropertyKey[]): unknown => {
    if (Array.isArray(value)) return value.map((item, index) => fill(item, [...path, index]))
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, fill(item, [...path, name])]),
      )
    }
    return typeof value === 'string' ? fillText(value, path) : value
  }

  const fillText = (text: string, path: readonly PropertyKey[]): string =>
    text.replaceAll(/\$\$\{|\$\{([^}]*)(\}?)/g, (written: string, name?: string, end?: string) => {
      if (name === undefined) return '${'
      filled.add(pathKey(path))
      if (!end || !/^[A-Za-z_]\w*$/.test(name)) {
        unfilled.push({
          path,
          message: `Write \${NAME} with the name of an environment variable, or $\${ for a literal \${.`,
        })
        return written
      }
      const value = lookUp(name)
      if (value === undefined) {
        unfilled.push({
          path,
          message: `The environment variable ${name} is not set. Set it, or write the value here.`,
        })
        return written
      }
      return value
    })

  return { data: fill(data, []), filled, unfilled }
}
