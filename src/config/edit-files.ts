import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { parseEnv } from 'node:util'
import { isMap, parseDocument } from 'yaml'
import { QuerentError } from '../domain/errors.ts'

/** A database for querent.yml: an address, preferably `${NAME}`, or the path of a SQLite file. A null `place` keeps the old one. */
export interface NewDatabase {
  readonly name: string
  readonly place: { readonly url: string } | { readonly path: string } | null
  readonly description: string | null
}

const settingsPreface = `# Settings of Querent. querent.example.yml shows all of them, docs/configuration.md explains them.
`

/**
 * Adds a database to the text of a querent.yml and makes it the default. Everything else stays, comments too; of a database
 * with the same name, only the place changes. `text`: the file, or null if there is none. Throws
 * `QuerentError('bad-configuration')` for a text that is not YAML.
 */
export const addDatabase = (text: string | null, { name, place, description }: NewDatabase): string => {
  const document = parseDocument(text ?? settingsPreface)
  if (document.errors.length > 0 || (document.contents !== null && !isMap(document.contents)))
    throw new QuerentError(
      'bad-configuration',
      'Cannot add to querent.yml, because it is not valid YAML. Correct it first.',
    )
  if (document.contents === null) {
    // A file with nothing but comments: they stay above the settings.
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
  '# Secrets of Querent. Do not share or commit this file. .env.example shows all variables.\n'

/**
 * Sets variables in the text of a `.env`; null removes a variable. Other lines stay. `text`: the file, or null if there is
 * none. Throws `QuerentError('bad-configuration')` if the new text would be read back differently, such as with a value over
 * several lines.
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
  const expected: Record<string, string | null | undefined> = { ...parseEnv(before), ...variables }
  const read = parseEnv(after)
  for (const [name, value] of Object.entries(expected))
    if ((read[name] ?? null) !== value) throw unreadable(name)
  return after
}

/** Without quotes if that is safe, or with a quote that does not occur in the value. */
const quoted = (name: string, value: string): string => {
  if (/^[\w.:/@%+,;=?&~*!^-]+$/.test(value)) return value
  const quote = ["'", '`', '"'].find(mark => !value.includes(mark))
  if (quote === undefined || /[\r\n]/.test(value)) throw unreadable(name)
  return `${quote}${value}${quote}`
}

const unreadable = (name: string): QuerentError =>
  new QuerentError('bad-configuration', `Cannot write this value of ${name} to .env. Add it by hand.`)

/** The text of a file; null if there is none. Throws `QuerentError('bad-configuration')` if it cannot be read. */
export const readFileIfThere = async (path: string): Promise<string | null> => {
  try {
    return await readFile(path, 'utf8')
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

/**
 * Replaces a file atomically, with these permissions (`0o600`: only its owner). Throws `QuerentError('bad-configuration')` if
 * it cannot be written; the old file is kept then.
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
      `Cannot write ${path} (${(error as NodeJS.ErrnoException).code}). Correct the permissions of its folder and try again.`,
      { cause: error },
    )
  }
}
