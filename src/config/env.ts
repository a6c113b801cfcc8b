import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type { z } from 'zod'
import { QuerentError } from '../domain/errors.ts'
import { environmentSchema, type VariableName, variableNames } from './environment-variables.ts'
import { type Problem, suggest } from './problems.ts'

/** The checked environment. Real variables override `.env`. */
export interface Environment {
  /** Querent's own variables; absent if unset, empty or wrong (`problems` has the wrong ones). */
  readonly values: Readonly<Partial<Record<VariableName, string>>>
  /** Any variable by name, for `${NAME}` in querent.yml. Empty counts as unset. */
  readonly lookUp: (name: string) => string | undefined
  /** True if a variable is set in `.env` and not overridden by a real one. */
  readonly isInFile: (name: string) => boolean
  /** Folder of the project: where `.env` is, and where npm starts its scripts. */
  readonly projectFolder: string
  /** Folder that the command was typed in. */
  readonly workingFolder: string
  /** The path in a variable. Relative ones start in the current folder, or beside `.env` if written there. */
  readonly pathIn: (name: VariableName) => string | null
  readonly problems: readonly Problem[]
}

/** Where the environment comes from; this process by default. */
export interface EnvironmentSource {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

/** Reads the environment once. The only reader of `process.env`. Wrong values are returned as `problems`. */
export const readEnvironment = ({
  env = process.env,
  cwd = process.cwd(),
}: EnvironmentSource = {}): Environment => {
  const dotEnv = readDotEnv(cwd)
  const lookUp = (name: string) => env[name] || dotEnv.values[name] || undefined
  const isInFile = (name: string) => !env[name] && Boolean(dotEnv.values[name])
  const whereIs = (name: string) => (isInFile(name) ? `.env:${dotEnv.lineOf(name)}` : 'environment')
  const workingFolder = resolve(cwd, env.INIT_CWD || '.')

  const given = Object.fromEntries(variableNames.map(name => [name, lookUp(name)]))
  const parsed = environmentSchema.safeParse(given)
  const wrong = new Set(parsed.error?.issues.map(issue => issue.path[0] as VariableName))
  const values = Object.fromEntries(
    variableNames
      .filter(name => given[name] !== undefined && !wrong.has(name))
      .map(name => [name, given[name]]),
  ) as Partial<Record<VariableName, string>>

  return {
    values,
    lookUp,
    isInFile,
    projectFolder: cwd,
    workingFolder,
    pathIn: name => {
      const path = values[name]
      return path === undefined ? null : resolve(isInFile(name) ? cwd : workingFolder, path)
    },
    problems: [
      ...[...wrong].map(name => ({
        where: whereIs(name),
        message: describeWrongValue(name, given[name] ?? ''),
      })),
      ...unknownVariables({ ...dotEnv.values, ...env }).map(name => ({
        where: whereIs(name),
        message: describeUnknownVariable(name),
      })),
    ],
  }
}

/** Variables with Querent's prefix that it does not know. Others belong to other programs. */
const unknownVariables = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.keys(env).filter(name => name.startsWith(prefix) && !(name in environmentSchema.shape))

const prefix = 'QUERENT_'

/** Names are compared without the prefix, which all of them share. */
const describeUnknownVariable = (name: string): string => {
  const known = variableNames
    .filter(known => known.startsWith(prefix))
    .map(known => known.slice(prefix.length))
  const meant = suggest(name.slice(prefix.length), known)
  return meant === null
    ? `Querent has no variable ${name}. Remove it.`
    : `Querent has no variable ${name}. Did you mean ${prefix}${meant}?`
}

const describeWrongValue = (name: VariableName, value: string): string => {
  const { expects, examples, secret } = metaOf(name)
  const shown = secret ? '' : `, not ${JSON.stringify(value)}`
  return `${name} must be ${expects}${shown}. For example: ${name}=${examples[0]}`
}

/** The schema's description of a variable. */
const metaOf = (name: VariableName) =>
  (environmentSchema.shape[name] as z.ZodType).meta() as {
    readonly expects: string
    readonly examples: readonly string[]
    readonly secret?: boolean
  }

/** The variables of a `.env` file, and the line of each. */
interface DotEnv {
  readonly values: Readonly<Record<string, string>>
  readonly lineOf: (name: string) => number
}

const emptyDotEnv: DotEnv = { values: {}, lineOf: () => 1 }

/** Reads `.env` in a folder. A missing file counts as empty. */
const readDotEnv = (folder: string): DotEnv => {
  const text = readIfThere(join(folder, '.env'))
  if (text === null) return emptyDotEnv
  const lines = text.split('\n')
  return {
    values: parseEnv(text) as Record<string, string>,
    lineOf: name => {
      // The last one counts, as it does for parseEnv.
      const at = lines.findLastIndex(line => new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(line))
      return Math.max(at, 0) + 1
    },
  }
}

const readIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new QuerentError(
      'bad-configuration',
      `Cannot read ${path}. Correct its permissions, or remove it.`,
      {
        cause: error,
      },
    )
  }
}
