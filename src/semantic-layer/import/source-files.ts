import { LineCounter, parseAllDocuments } from 'yaml'
import type { z } from 'zod'
import { QuerentError } from '../../domain/errors.ts'
import type { SourceFile } from './imported-layer.ts'

/** Gathers what is wrong with files, to report all of it at once. */
export interface Problems {
  readonly add: (file: string, problem: string) => void
  /** Throws if there were any. */
  readonly check: () => void
}

export const makeProblems = (format: string): Problems => {
  const problems: string[] = []
  return {
    add: (file, problem) => void problems.push(`${file}: ${problem}`),
    check: () => {
      if (problems.length === 0) return
      const shown = problems.slice(0, MOST_PROBLEMS).map(problem => `- ${problem}`)
      const rest = problems.length - shown.length
      throw new QuerentError(
        'bad-arguments',
        [`I can't read these files as ${format}:`, ...shown, ...(rest > 0 ? [`and ${rest} more.`] : [])].join(
          '\n',
        ),
      )
    },
  }
}

const MOST_PROBLEMS = 30

/** The documents of a YAML file (JSON is YAML as well). Null if it cannot be read. */
export const readYaml = (file: SourceFile, problems: Problems): readonly unknown[] | null => {
  const read = (text: string) => {
    const lines = new LineCounter()
    const documents = parseAllDocuments(text, { lineCounter: lines, merge: true, prettyErrors: false })
    return { lines, documents: Array.isArray(documents) ? documents : [] }
  }
  let { lines, documents } = read(file.text)
  if (documents.some(document => document.errors.some(({ code }) => code === 'MISSING_CHAR')))
    ({ lines, documents } = read(indentQuoted(file.text)))
  const errors = documents.flatMap(document => document.errors)
  for (const error of errors) {
    const { line, col } = lines.linePos(error.pos[0])
    problems.add(file.name, `line ${line}, column ${col}: ${firstLine(error.message)}`)
  }
  if (errors.length > 0) return null
  try {
    return documents.map((document): unknown => document.toJS()).filter(value => value !== null)
  } catch (error) {
    problems.add(file.name, firstLine(error instanceof Error ? error.message : String(error)))
    return null
  }
}

/**
 * Indents the further lines of quoted texts. YAML wants that, but the readers of some tools do not, and files rely on it.
 */
const indentQuoted = (text: string): string => {
  let indent: string | null = null
  return text
    .split('\n')
    .map(line => {
      if (indent !== null) {
        const own = `${indent}  ${line}`
        if (/(?:^|[^\\])"\s*$/.test(line)) indent = null
        return own
      }
      indent = /^(\s*(?:- +)?)[\w.-]+:\s+"(?:[^"\\]|\\.)*$/.exec(line)?.[1]?.replace('-', ' ') ?? null
      return line
    })
    .join('\n')
}

/** A JSON file as a value. Null if it cannot be read. */
export const readJson = (file: SourceFile, problems: Problems): unknown => {
  try {
    return JSON.parse(file.text)
  } catch (error) {
    problems.add(
      file.name,
      `is not JSON (${error instanceof Error ? error.message : String(error)}). Export it again and pass the whole file.`,
    )
    return null
  }
}

/** Checks the shape of a value. Null if it is wrong; every problem is noted with its place. */
export const readShape = <T>(
  schema: z.ZodType<T>,
  value: unknown,
  file: string,
  problems: Problems,
): T | null => {
  const read = schema.safeParse(value)
  if (read.success) return read.data
  for (const issue of read.error.issues) problems.add(file, `${placeOf(issue.path, value)}: ${issue.message}`)
  return null
}

/** The documents of YAML files in one shape. Throws `QuerentError` with every problem. */
export const readYamlFiles = <T>(
  files: readonly SourceFile[],
  format: string,
  schema: z.ZodType<T>,
): readonly T[] => {
  const problems = makeProblems(format)
  const found = files.flatMap(file =>
    (readYaml(file, problems) ?? []).flatMap(value => readShape(schema, value, file.name, problems) ?? []),
  )
  problems.check()
  return found
}

/** The place of a problem; entries of lists by their names: `cubes.orders.measures.count.type`. */
const placeOf = (path: readonly PropertyKey[], value: unknown): string => {
  let at = value
  const words = path.map(key => {
    at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined
    const name = typeof at === 'object' && at !== null ? Reflect.get(at, 'name') : undefined
    return typeof key === 'number' && typeof name === 'string' ? name : String(key)
  })
  return words.join('.') || 'the file'
}

const firstLine = (text: string): string => text.split('\n')[0]?.replace(/:$/, '') ?? text
