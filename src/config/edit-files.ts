import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { isMap, parseDocument } from 'yaml'
import { QuerentError } from '../domain/errors.ts'

/**
 * A database as it is to stand in querent.yml: an address, best as `${NAME}`, or a path of a SQLite file; null leaves where
 * it is as it is.
 */
export interface NewDatabase {
  readonly name: string
  readonly place: { readonly url: string } | { readonly path: string } | null
  readonly description: string | null
}

const settingsPreface = `# Settings of Querent. querent.example.yml has all that there are, docs/configuration.md says what each means.
`

/**
 * The text of a querent.yml with a database in it, which becomes the default. What else stands there stays, comments too;
 * of a database that bears the name already, only where it is changes. `text`: the file as it is, null where there is none.
 * Throws `QuerentError('bad-configuration')` for a text that is not YAML.
 */
export const addDatabase = (text: string | null, { name, place, description }: NewDatabase): string => {
  const document = parseDocument(text ?? settingsPreface)
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents)))
    throw new QuerentError(
      'bad-configuration',
      'querent.yml cannot be added to, for it is not valid YAML; correct it first',
    )
  if (document.contents === null) {
    // A file of comments alone: they stay above what comes.
    document.commentBefore ??= document.comment ?? null
    document.comment = null
    document.contents = document.createNode({}) as unknown as typeof document.contents
  }
  document.set('defaultDatabase', name)
  if (!isMap(document.get('databases'))) document.set('databases', document.createNode({}))
  if (!isMap(document.getIn(['databases', name])))
    document.setIn(['databases', name], document.createNode({}))
  if (place !== null) {
    for (const key of ['url', 'path']) if (!(key in place)) document.deleteIn(['databases', name, key])
    for (const [key, value] of Object.entries(place)) document.setIn(['databases', name, key], value)
  }
  if (description !== null) document.setIn(['databases', name, 'description'], description)
  return document.toString({ lineWidth: 0 })
}

const envPreface =
  '# Secrets of Querent: for you alone, and never to be committed. .env.example has all that there are.\n'

/**
 * The text of a `.env` with these variables in it; a variable that is null is taken out. Lines of others stay as they are.
 * `text`: the file as it is, null where there is none. Throws `QuerentError('bad-configuration')` where the file could
 * not be read back as meant: a value over several lines stands in the way, say.
 */
export const setVariables = (
  text: string | null,
  variables: Readonly<Record<string, string | null>>,
): string => {
  const before = text ?? envPreface
  const lines = before.replace(/\n$/, '').split('\n')
  for (const [name, value] of Object.entries(variables)) {
    const isIt = (line: string) => new RegExp(`^\\s*(export\\s+)?${name}\\s*=`).test(line)
    // The last one counts, as it does for parseEnv; earlier ones would only mislead.
    const at = lines.findIndex(isIt)
    const rest = lines.filter(line => !isIt(line))
    const written = value === null ? [] : [`${name}=${quoted(name, value)}`]
    lines.splice(0, lines.length, ...rest)
    lines.splice(at === -1 ? lines.length : at, 0, ...written)
  }
  const after = `${lines.join('\n')}\n`
  const meant: Record<string, string | null | undefined> = { ...parseEnv(before), ...variables }
  const read = parseEnv(after)
  for (const [name, value] of Object.entries(meant))
    if ((read[name] ?? null) !== value) throw unreadable(name)
  return after
}

/** Bare where that is unmistakable, else in the quotes that do not occur in it. */
const quoted = (name: string, value: string): string => {
  if (/^[\w.:/@%+,;=?&~*!^-]+$/.test(value)) return value
  const quote = ["'", '`', '"'].find(mark => !value.includes(mark))
  if (quote === undefined || /[\r\n]/.test(value)) throw unreadable(name)
  return `${quote}${value}${quote}`
}

const unreadable = (name: string): QuerentError =>
  new QuerentError(
    'bad-configuration',
    `${name} cannot be written into .env as it is; write it there by hand`,
  )

/** The text of a file; null where there is none. Throws `QuerentError('bad-configuration')` where it may not be read. */
export const readFileIfThere = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new QuerentError('bad-configuration', `Cannot read ${path}; correct its rights, or remove it.`, {
      cause: error,
    })
  }
}

/**
 * Puts a file in the place of another, whole or not at all, with these rights (`0o600`: for its owner alone). Throws
 * `QuerentError('bad-configuration')` where it may not be written; what was there is there still.
 */
export const replaceFile = async (path: string, text: string, mode: number): Promise<void> => {
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, text, { mode, flag: 'wx' })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw new QuerentError(
      'bad-configuration',
      `Cannot write ${path} (${(error as NodeJS.ErrnoException).code}); correct the rights of its folder, and try again.`,
      { cause: error },
    )
  }
}
