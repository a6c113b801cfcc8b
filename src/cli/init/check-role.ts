import { randomBytes } from 'node:crypto'
import pc from 'picocolors'
import { parse } from 'yaml'
import { readFileIfThere } from '../../config/edit-files.ts'
import { connect } from '../../databases/connect.ts'
import { QuerentError } from '../../domain/errors.ts'
import { databaseDialect } from '../../sql/dialects.ts'
import { readerName, readOnlyRoleStatements, summarizeSafeguards } from '../checks/check-safeguards.ts'
import { type ConnectedDatabase, connectToAddress, withLogin } from './database-address.ts'
import { type InitRun, isCorrectable } from './init-run.ts'
import { removeSecret, saveSecret } from './settings.ts'

/** What the second step found. */
export interface RoleCheck {
  /** Null where a database knows no users. */
  readonly canWrite: boolean | null
  /** What an administrator runs to make a user who can only read; empty where nobody has to. */
  readonly statements: readonly string[]
  readonly finding: string
}

/**
 * The second step: whether the database's own walls stand, tried with the guard out of the way, and whether the user could
 * write. Then the statements for one who cannot are shown, and once an administrator has run them, Querent becomes that
 * user. The address of that user waits in `.env` meanwhile, so that `init` can be stopped and run again.
 */
export const checkRole = async (run: InitRun, name: string, tried: ConnectedDatabase): Promise<RoleCheck> => {
  if (databaseDialect(tried.reference.dialect).readOnlyRole === null) {
    const finding = 'it is opened read-only, and no user is needed'
    run.mark('ok', finding)
    return { canWrite: null, statements: [], finding }
  }
  const variable = await findAddressVariable(run, name)
  const waits = variable !== null && isInEnvFile(run, variable) ? `${variable}_READER` : null
  const waiting = waits === null ? undefined : run.environment().lookUp(waits)
  const becomes = async (address: string): Promise<RoleCheck | null> => {
    const reader = await connectToAddress(address, {
      baseFolder: run.setup().config.workingFolder,
      audit: run.setup().resources.audit,
      signal: run.signal,
    })
    if (variable === null || waits === null) return null
    await replaceSecret(run, variable, address)
    await removeSecret(run, waits)
    run.reload()
    run.mark('ok', `Querent is ${readerName} from now on`)
    return printRole(run, await checkSafeguards(run, reader, []))
  }
  if (waiting !== undefined) {
    const role = await becomes(waiting).catch((error: unknown) => {
      if (!isCorrectable(error)) throw error
      return null
    })
    if (role) return role
  }

  // Where the output may end up in a log, or nothing can hold the password, an administrator chooses it.
  const password =
    waiting === undefined
      ? randomBytes(18).toString('base64url')
      : decodeURIComponent(new URL(waiting).password)
  const isOurs = run.prompts !== null && waits !== null
  const statements =
    readOnlyRoleStatements(tried.reference, tried.catalog, isOurs ? password : undefined) ?? []
  const judged = await checkSafeguards(run, tried, statements)
  if (judged.canWrite !== true || !run.prompts || waits === null) {
    const role = printRole(run, judged)
    if (judged.canWrite === true) printStatements(run, role.statements)
    return role
  }
  run.mark('weak', judged.finding)
  const reader = withLogin(tried.address, { user: readerName, password })
  if (waiting === undefined) await saveSecret(run, waits, reader)
  printStatements(run, statements)
  for (;;) {
    const next = await run.prompts.choose({
      message: 'What now?',
      choices: [
        {
          value: 'switch',
          name: `It has been run: go on as ${readerName}`,
          description: 'Querent connects as that user, and keeps its address in .env in place of this one.',
        },
        {
          value: 'stay',
          name: 'Go on with the user as it is',
          description: 'Only the guard and read-only transactions hold its rights back then.',
        },
        {
          value: 'later',
          name: 'Stop here, until an administrator has run it',
          description: 'init goes on from here the next time.',
        },
      ],
    })
    if (next === 'stay') return judged
    if (next === 'later')
      throw new QuerentError('cancelled', `stopped, until an administrator has made ${readerName}`)
    try {
      const role = await becomes(reader)
      if (role) return role
    } catch (error) {
      if (!isCorrectable(error)) throw error
      run.mark('broken', `${error.message} The statements above may not have been run yet.`)
    }
  }
}

/** Only what stands in `.env` can be changed there. */
const isInEnvFile = (run: InitRun, variable: string): boolean => run.environment().isInFile(variable)

/** The address is the one that was there, as another user: nobody is asked once more. */
const replaceSecret = async (run: InitRun, variable: string, address: string): Promise<void> =>
  saveSecret({ ...run, options: { ...run.options, replace: true } }, variable, address)

const checkSafeguards = async (
  run: InitRun,
  { reference }: ConnectedDatabase,
  statements: readonly string[],
): Promise<RoleCheck> => {
  const connector = await connect(reference, { audit: run.setup().resources.audit })
  try {
    const trials = await connector.measuring.checkSafeguards({ signal: run.signal })
    const { status, finding } = summarizeSafeguards(trials, statements)
    if (status === 'broken')
      throw new QuerentError(
        'database-unreachable',
        `The walls of ${reference.name} do not stand: ${finding}. npm run -s querent -- doctor says what to do.`,
      )
    const canWrite = trials.roleCanWrite
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
  run.print('  An administrator makes a user who can only read, with:')
  run.print()
  for (const statement of statements) run.print(pc.cyan(statement))
  run.print()
}

/** The variable that holds the address of a database in querent.yml; null where the address stands there itself. */
const findAddressVariable = async (run: InitRun, name: string): Promise<string | null> => {
  const { file } = run.setup().config
  const text = file === null ? null : await readFileIfThere(file)
  const url: unknown = text === null ? null : parse(text)?.databases?.[name]?.url
  return typeof url === 'string' ? (/^\$\{(\w+)\}$/.exec(url)?.[1] ?? null) : null
}
