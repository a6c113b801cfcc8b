import { chmod, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative } from 'node:path'
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
import { initFilesCopy as copy } from '../copy/init.ts'
import { changedLines } from '../terminal.ts'
import { suggestVariable } from './database-address.ts'
import { flagError, type InitRun } from './prompts.ts'

/** The path of querent.yml, also if it does not exist yet. */
export const settingsFile = (run: InitRun): string =>
  run.setup().config.file ?? join(run.environment().projectFolder, 'querent.yml')

/**
 * Writes a database to querent.yml, and the address of a server to `.env`, so that querent.yml can be shared. `fromVariable`
 * names a variable that already has the address. Other values are replaced only if the person agrees, or with `--replace`. The
 * old querent.yml is kept as querent.yml.bak.
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
    // The variable comes first: a querent.yml with a variable that is not set would be invalid.
    if (variable !== null && database.fromVariable === null) await saveSecret(run, variable, address)
  })
}

/** Makes a database of querent.yml the default. */
export const saveDefaultDatabase = (run: InitRun, name: string): Promise<void> =>
  saveSettings(run, { name, place: null, description: null }, async () => {})

const saveSettings = async (
  run: InitRun,
  database: NewDatabase,
  beforeWriting: () => Promise<void>,
): Promise<void> => {
  const file = settingsFile(run)
  const before = await readFileIfThere(file)
  const after = addDatabase(before, database)
  await confirmSettings(run, before, after)
  await beforeWriting()
  if (after === before) return run.mark('ok', copy.unchanged(shortPath(file)))
  if (before !== null) await replaceFile(`${file}.bak`, before, 0o600)
  await replaceFile(file, after, 0o644)
  run.mark('ok', copy.written(shortPath(file), before !== null))
}

/** Saves a secret in `.env`, which only its owner can read, unless it is there already. */
export const saveSecret = async (run: InitRun, variable: string, value: string): Promise<void> => {
  const environment = run.environment()
  const known = environment.lookUp(variable)
  if (known === value) return
  const file = join(environment.projectFolder, '.env')
  if (known !== undefined && !(await mayReplace(run, copy.replace(variable))))
    throw flagError(copy.needsReplace(variable))
  await replaceFile(file, setVariables(await readFileIfThere(file), { [variable]: value }), 0o600)
  if (run.environment().lookUp(variable) !== value)
    throw new QuerentError('bad-configuration', copy.overridden(variable))
  run.mark('ok', copy.savedSecret(variable))
}

/** Removes a variable from `.env`. */
export const removeSecret = async (run: InitRun, variable: string): Promise<void> => {
  const file = join(run.environment().projectFolder, '.env')
  const text = await readFileIfThere(file)
  if (text !== null) await replaceFile(file, setVariables(text, { [variable]: null }), 0o600)
}

/** Makes `.env` readable for its owner only. */
export const restrictEnvFile = async (run: InitRun): Promise<void> => {
  const file = join(run.environment().projectFolder, '.env')
  const mode = await stat(file).then(
    found => found.mode & 0o777,
    () => null,
  )
  if (mode === null || (mode & 0o077) === 0) return
  await chmod(file, 0o600)
  run.mark('weak', copy.restricted)
}

const confirmSettings = async (run: InitRun, before: string | null, after: string): Promise<void> => {
  if (before === null || before === after) return
  const { lines, removes } = changedLines(before, after)
  run.print(copy.changesTitle)
  for (const line of lines) run.print(`    ${line}`)
  if (run.prompts ? await run.prompts.agree({ message: copy.write, suggestion: true }) : !removes) return
  if (run.options.replace && !run.prompts) return
  throw flagError(run.prompts ? copy.nothingWritten : copy.needsReplaceFile)
}

const mayReplace = async (run: InitRun, message: string): Promise<boolean> =>
  run.options.replace === true || (await run.prompts?.agree({ message, suggestion: true })) === true

/** A path below the folder of querent.yml becomes relative, so that the folder can move. */
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
