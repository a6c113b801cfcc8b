import { randomBytes } from 'node:crypto'
import pc from 'picocolors'
import { parse } from 'yaml'
import { readFileIfThere } from '../../config/edit-files.ts'
import { connect } from '../../databases/connect.ts'
import { QuerentError } from '../../domain/errors.ts'
import { databaseDialect } from '../../sql/dialects.ts'
import { readerName, readOnlyRoleStatements, summarizeSafeguards } from '../checks/check-safeguards.ts'
import { initRoleCopy as copy, initCopy } from '../copy/init.ts'
import { type ConnectedDatabase, connectToAddress, withLogin } from './database-address.ts'
import { type InitRun, isCorrectable } from './prompts.ts'
import { removeSecret, saveSecret } from './settings.ts'

/** The result of the second step. */
export interface RoleCheck {
  /** Null if the database has no users. */
  readonly canWrite: boolean | null
  /** Statements for an administrator to create a user that can only read; empty if not needed. */
  readonly statements: readonly string[]
  readonly finding: string
}

/**
 * The second step: checks that the safeguards of the database hold with the guard bypassed, and whether the user can write. If
 * it can, the step shows the statements for a user that cannot, and connects as that user after an administrator ran them.
 * Until then the address of the new user is in `.env`, so that `init` can be stopped and run again.
 */
export const checkRole = async (run: InitRun, name: string, tried: ConnectedDatabase): Promise<RoleCheck> => {
  if (databaseDialect(tried.reference.dialect).readOnlyRole === null) {
    const finding = initCopy.fileRole
    run.mark('ok', finding)
    return { canWrite: null, statements: [], finding }
  }
  const variable = await findAddressVariable(run, name)
  const readerVariable = variable !== null && isInEnvFile(run, variable) ? `${variable}_READER` : null
  const readerAddress = readerVariable === null ? undefined : run.environment().lookUp(readerVariable)
  const switchTo = async (address: string): Promise<RoleCheck | null> => {
    const reader = await connectToAddress(address, {
      baseFolder: run.setup().config.workingFolder,
      audit: run.setup().resources.audit,
      signal: run.signal,
    })
    if (variable === null || readerVariable === null) return null
    await replaceSecret(run, variable, address)
    await removeSecret(run, readerVariable)
    run.reload()
    run.mark('ok', copy.switched(readerName))
    return printRole(run, await checkSafeguards(run, reader, []))
  }
  if (readerAddress !== undefined) {
    const role = await switchTo(readerAddress).catch((error: unknown) => {
      if (!isCorrectable(error)) throw error
      return null
    })
    if (role) return role
  }

  // If the output may end up in a log, or the password cannot be saved, the administrator chooses it.
  const password =
    readerAddress === undefined
      ? randomBytes(18).toString('base64url')
      : decodeURIComponent(new URL(readerAddress).password)
  const savesPassword = run.prompts !== null && readerVariable !== null
  const statements =
    readOnlyRoleStatements(tried.reference, tried.catalog, savesPassword ? password : undefined) ?? []
  const checked = await checkSafeguards(run, tried, statements)
  if (checked.canWrite !== true || !run.prompts || readerVariable === null) {
    const role = printRole(run, checked)
    if (checked.canWrite === true) printStatements(run, role.statements)
    return role
  }
  run.mark('weak', checked.finding)
  const reader = withLogin(tried.address, { user: readerName, password })
  if (readerAddress === undefined) await saveSecret(run, readerVariable, reader)
  printStatements(run, statements)
  for (;;) {
    const next = await run.prompts.choose({
      message: copy.whatNow,
      choices: [
        {
          value: 'switch',
          name: copy.switch(readerName),
          description: copy.switchNote,
        },
        {
          value: 'stay',
          name: copy.stay,
          description: copy.stayNote,
        },
        {
          value: 'later',
          name: copy.later,
          description: copy.laterNote,
        },
      ],
    })
    if (next === 'stay') return checked
    if (next === 'later') throw new QuerentError('cancelled', copy.stoppedFor(readerName))
    try {
      const role = await switchTo(reader)
      if (role) return role
    } catch (error) {
      if (!isCorrectable(error)) throw error
      run.mark('broken', copy.notRunYet(error.message))
    }
  }
}

/** A variable can be changed only if it is in `.env`. */
const isInEnvFile = (run: InitRun, variable: string): boolean => run.environment().isInFile(variable)

/** Replaces a secret without asking: it is the same address with another user. */
const replaceSecret = async (run: InitRun, variable: string, address: string): Promise<void> =>
  saveSecret({ ...run, options: { ...run.options, replace: true } }, variable, address)

const checkSafeguards = async (
  run: InitRun,
  { reference }: ConnectedDatabase,
  statements: readonly string[],
): Promise<RoleCheck> => {
  const connector = await connect(reference, { audit: run.setup().resources.audit })
  try {
    const results = await connector.measuring.checkSafeguards({ signal: run.signal })
    const { status, finding } = summarizeSafeguards(results, statements)
    if (status === 'broken')
      throw new QuerentError('database-unreachable', copy.safeguardsFail(reference.name, finding))
    const canWrite = results.roleCanWrite
    return { canWrite, statements: canWrite === true ? statements : [], finding }
  } finally {
    await connector.close()
  }
}

const printRole = (run: InitRun, role: RoleCheck): RoleCheck => {
  run.mark(role.canWrite === true ? 'weak' : 'ok', role.finding)
  return role
}

const printStatements = (run: InitRun, statements: readonly string[]): void => {
  run.print(copy.statementsTitle)
  run.print()
  for (const statement of statements) run.print(pc.cyan(statement))
  run.print()
}

/** The variable with the address of a database in querent.yml; null if the address itself is there. */
const findAddressVariable = async (run: InitRun, name: string): Promise<string | null> => {
  const { file } = run.setup().config
  const text = file === null ? null : await readFileIfThere(file)
  const url: unknown = text === null ? null : parse(text)?.databases?.[name]?.url
  return typeof url === 'string' ? (/^\$\{(\w+)\}$/.exec(url)?.[1] ?? null) : null
}
