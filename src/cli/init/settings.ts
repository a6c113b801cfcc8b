import { chmod, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { diffArrays } from 'diff'
import pc from 'picocolors'
import {
  addDatabase,
  type NewDatabase,
  readFileIfThere,
  replaceFile,
  setVariables,
} from '../../config/edit-files.ts'
import type { DatabaseReference } from '../../databases/database-reference.ts'
import { QuerentError } from '../../domain/errors.ts'
import { databaseDialect } from '../../sql/dialects.ts'
import { suggestVariable } from './database-address.ts'
import { flagError, type InitRun } from './init-run.ts'

/** Where querent.yml is, or would be found. */
export const settingsFile = (run: InitRun): string =>
  run.setup().config.file ?? join(run.environment().projectFolder, 'querent.yml')

/**
 * Writes a database into querent.yml, and its address into `.env` where it is one of a server: the file of settings can be
 * shared then. `fromVariable` names a variable that holds the address already. What stood in a file otherwise is replaced
 * only when the person agrees, or by `--replace`; a querent.yml that changes is kept beside it as querent.yml.bak.
 */
export const saveDatabase = async (
  run: InitRun,
  database: {
    readonly name: string
    readonly description: string | null
    readonly reference: DatabaseReference
    readonly address: string
    readonly fromVariable: string | null
  },
): Promise<void> => {
  const { name, description, reference, address } = database
  const file = settingsFile(run)
  const isServer = databaseDialect(reference.dialect).address.kind === 'server'
  const variable = database.fromVariable ?? (isServer ? suggestVariable(name) : null)
  const place = variable === null ? relativeAddress(reference, dirname(file)) : { url: `\${${variable}}` }
  await saveSettings(run, { name, place, description }, async () => {
    // First the variable: a querent.yml that names one that is not set would be wrong.
    if (variable !== null && database.fromVariable === null) await saveSecret(run, variable, address)
  })
}

/** Makes a database that querent.yml has already the default one. */
export const saveDefaultDatabase = (run: InitRun, name: string): Promise<void> =>
  saveSettings(run, { name, place: null, description: null }, async () => {})

const saveSettings = async (
  run: InitRun,
  database: NewDatabase,
  andFirst: () => Promise<void>,
): Promise<void> => {
  const file = settingsFile(run)
  const before = await readFileIfThere(file)
  const after = addDatabase(before, database)
  await confirmSettings(run, before, after)
  await andFirst()
  if (after === before) return run.mark('ok', `${shortPath(file)} has it already`)
  if (before !== null) await replaceFile(`${file}.bak`, before, 0o600)
  await replaceFile(file, after, 0o644)
  run.mark(
    'ok',
    `written to ${shortPath(file)}${before === null ? '' : `; as it was before: ${shortPath(file)}.bak`}`,
  )
}

/** Puts a secret into `.env`, which only its owner may read, unless it is there. */
export const saveSecret = async (run: InitRun, variable: string, value: string): Promise<void> => {
  const environment = run.environment()
  const known = environment.lookUp(variable)
  if (known === value) return
  const file = join(environment.projectFolder, '.env')
  if (known !== undefined && !(await mayReplace(run, `${variable} has another value. Replace it?`)))
    throw flagError(`${variable} has another value already; take --replace to replace it, or another --name.`)
  await replaceFile(file, setVariables(await readFileIfThere(file), { [variable]: value }), 0o600)
  if (run.environment().lookUp(variable) !== value)
    throw new QuerentError(
      'bad-configuration',
      `${variable} is set in the environment of this shell, which wins over .env: unset it there (unset ${variable}), and start again.`,
    )
  run.mark('ok', `${variable} is in .env, which you alone may read`)
}

/** Takes a variable out of `.env`. */
export const removeSecret = async (run: InitRun, variable: string): Promise<void> => {
  const file = join(run.environment().projectFolder, '.env')
  const text = await readFileIfThere(file)
  if (text !== null) await replaceFile(file, setVariables(text, { [variable]: null }), 0o600)
}

/** A `.env` that others may read is one's own alone from now on. */
export const restrictEnvFile = async (run: InitRun): Promise<void> => {
  const file = join(run.environment().projectFolder, '.env')
  const mode = await stat(file).then(
    found => found.mode & 0o777,
    () => null,
  )
  if (mode === null || (mode & 0o077) === 0) return
  await chmod(file, 0o600)
  run.mark('weak', 'others could read .env; now you alone can')
}

const confirmSettings = async (run: InitRun, before: string | null, after: string): Promise<void> => {
  if (before === null || before === after) return
  const changes = diffArrays(before.split('\n'), after.split('\n')).filter(
    ({ added, removed }) => added || removed,
  )
  run.print('  This changes in querent.yml:')
  for (const { removed, value } of changes)
    for (const line of value) run.print(removed ? pc.red(`    - ${line}`) : pc.green(`    + ${line}`))
  const takesAway = changes.some(({ removed, value }) => removed && value.some(line => line.trim() !== ''))
  if (run.prompts ? await run.prompts.agree({ message: 'Write it?', suggestion: true }) : !takesAway) return
  if (run.options.replace && !run.prompts) return
  throw flagError(
    run.prompts
      ? 'Nothing was written. Change querent.yml by hand, or run init again.'
      : 'querent.yml says something else already, and is left as it is; take --replace to change it.',
  )
}

const mayReplace = async (run: InitRun, message: string): Promise<boolean> =>
  run.options.replace === true || (await run.prompts?.agree({ message, suggestion: true })) === true

/** Files are named relative to querent.yml where they lie below it, so that the folder can move. */
const relativeAddress = (
  { dialect, location }: DatabaseReference,
  folder: string,
): { readonly url: string } | { readonly path: string } => {
  const near = (path: string): string => {
    const short = relative(folder, path)
    return short.startsWith('..') || isAbsolute(short) || short === '' ? path : short
  }
  const { address } = databaseDialect(dialect)
  if (address.kind === 'server') return { url: location }
  return address.isDefault ? { path: near(location) } : { url: `${address.scheme}:${near(location)}` }
}

const shortPath = (path: string): string => {
  const short = relative(process.cwd(), path)
  return short.startsWith('..') ? path : short
}
