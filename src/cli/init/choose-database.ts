import { homedir } from 'node:os'
import { sampleCompany } from '../../bootstrap/databases/databases.ts'
import { databaseDialects } from '../../sql/dialects.ts'
import {
  type ConnectedDatabase,
  connectToAddress,
  formatCount,
  formatDatabaseKind,
  hasPassword,
  hidePassword,
  namePattern,
  suggestName,
  toAddress,
  withLogin,
} from './database-address.ts'
import { flagError, type InitRun, isCorrectable } from './init-run.ts'
import { saveDatabase, saveDefaultDatabase } from './settings.ts'

/** The database that people will ask, by its name; it answered, and querent.yml has it. */
interface ChosenDatabase {
  readonly name: string
  /** Null for the sample company. */
  readonly tried: ConnectedDatabase | null
}

/**
 * The first step: which database people are to ask. It is tried at once, and written down when it answers. One that is in
 * querent.yml already is tried again and kept. Throws `QuerentError` where nobody can be asked to correct something.
 */
export const chooseDatabase = async (run: InitRun): Promise<ChosenDatabase> => {
  const { options, prompts } = run
  const { config } = run.setup()
  const given = options.databaseFromEnv ?? options.database
  if (given !== undefined) return chooseDatabaseFromFlags(run)
  const known = config.defaultDatabase ?? Object.keys(config.databases)[0] ?? null
  if (!prompts) {
    if (known === null)
      throw flagError(
        `Name the database: --database ADDRESS, --database-from-env VARIABLE, or --database ${sampleCompany}.`,
      )
    return chooseConfiguredDatabase(run, known)
  }
  const kind = await prompts.choose({
    message: 'Which database should people ask?',
    choices: [
      ...(known === null
        ? []
        : [{ value: 'known', name: `${known}, which is in querent.yml already` } as const]),
      { value: 'own', name: 'A database of ours: Postgres, MySQL, MariaDB, or a file' } as const,
      {
        value: 'sample',
        name: 'The sample company: made-up data, to try Querent first',
      } as const,
    ],
  })
  switch (kind) {
    case 'known':
      return retryWithAddress(run, () => chooseConfiguredDatabase(run, known ?? sampleCompany))
    case 'own':
      printAddressFormats(run)
      return retryWithAddress(run, () => askForAddress(run))
    case 'sample':
      return chooseSampleCompany(run)
    default: {
      const never: never = kind
      return never
    }
  }
}

/** Tries until something works: what went wrong is told, and then the person is asked for an address. */
const retryWithAddress = async (
  run: InitRun,
  first: () => Promise<ChosenDatabase>,
): Promise<ChosenDatabase> => {
  for (let work = first; ; work = () => askForAddress(run)) {
    try {
      return await work()
    } catch (error) {
      if (!isCorrectable(error)) throw error
      run.mark('broken', error.message)
    }
  }
}

const chooseSampleCompany = (run: InitRun): ChosenDatabase => {
  run.mark(
    'ok',
    'the sample company, on a Postgres that comes along; npm start asks it as long as querent.yml has no default',
  )
  return { name: sampleCompany, tried: null }
}

const chooseConfiguredDatabase = async (run: InitRun, name: string): Promise<ChosenDatabase> => {
  const { config, resources } = run.setup()
  const settings = Object.hasOwn(config.databases, name) ? config.databases[name] : undefined
  if (!settings) return { name, tried: null }
  const tried = await connectToAddress(settings.url.reveal(), {
    baseFolder: config.workingFolder,
    audit: resources.audit,
    signal: run.signal,
  })
  printConnected(run, tried)
  if (config.defaultDatabase === name) return { name, tried }
  await saveDefaultDatabase(run, name)
  run.reload()
  return { name, tried }
}

const chooseDatabaseFromFlags = async (run: InitRun): Promise<ChosenDatabase> => {
  const { options } = run
  const { config } = run.setup()
  if (options.databaseFromEnv !== undefined) {
    const address = run.environment().lookUp(options.databaseFromEnv)
    if (address === undefined)
      throw flagError(`--database-from-env: the environment variable ${options.databaseFromEnv} is not set.`)
    return saveConnectedDatabase(run, await connectForInit(run, address), options.databaseFromEnv)
  }
  const given = options.database ?? ''
  if (given === sampleCompany) return chooseSampleCompany(run)
  if (Object.hasOwn(config.databases, given)) return chooseConfiguredDatabase(run, given)
  if (hasPassword(given))
    run.mark(
      'weak',
      'a password on the command line can be seen by other users of this machine, and stays in the history of the shell; --database-from-env takes it from a variable',
    )
  const address = await toAddress(given, { baseFolder: config.workingFolder, home: homedir() })
  return saveConnectedDatabase(run, await connectForInit(run, address), null)
}

const askForAddress = async (run: InitRun): Promise<ChosenDatabase> => {
  const { prompts } = run
  if (!prompts) throw flagError('There is nobody to ask.')
  const typed = await prompts.text({
    message: 'Address or path:',
    validate: value => value !== '' || 'An address or a path is needed; Ctrl-C stops.',
    shown: hidePassword,
  })
  const address = await toAddress(typed, {
    baseFolder: run.setup().config.workingFolder,
    home: homedir(),
  })
  return saveConnectedDatabase(run, await connectForInit(run, await promptForPassword(run, address)), null)
}

const printAddressFormats = (run: InitRun): void => {
  const servers = databaseDialects.flatMap(({ address }) =>
    address.kind === 'server' ? [`${address.scheme}://USER@HOST:${address.defaultPort}/DATABASE`] : [],
  )
  run.print(`  A server:  ${servers.join('   or   ')}`)
  run.print('  A file:    its path. SQLite, DuckDB, CSV, Parquet, JSON, or a folder of such files')
}

const isServerProtocol = (protocol: string): boolean =>
  databaseDialects.some(
    ({ address }) =>
      address.kind === 'server' &&
      [address.scheme, ...address.aliases].some(scheme => `${scheme}:` === protocol),
  )

/** Asks for the password separately, so that nobody has to type it where it can be seen. */
const promptForPassword = async (run: InitRun, address: string): Promise<string> => {
  if (!run.prompts || !URL.canParse(address)) return address
  const { protocol, username, password } = new URL(address)
  if (!isServerProtocol(protocol) || username === '' || password !== '') return address
  const typed = await run.prompts.secret({
    message: `Password of ${decodeURIComponent(username)} (Enter: none)`,
  })
  return typed === '' ? address : withLogin(address, { password: typed })
}

const connectForInit = async (run: InitRun, address: string): Promise<ConnectedDatabase> => {
  const tried = await connectToAddress(address, {
    baseFolder: run.setup().config.workingFolder,
    audit: run.setup().resources.audit,
    signal: run.signal,
  })
  printConnected(run, tried)
  return tried
}

const printConnected = (run: InitRun, { reference, catalog }: ConnectedDatabase): void =>
  run.mark(
    'ok',
    `${reference.name} answers (${formatDatabaseKind(reference)}): ${formatCount(catalog.tables.length, 'table')}`,
  )

const saveConnectedDatabase = async (
  run: InitRun,
  tried: ConnectedDatabase,
  fromVariable: string | null,
): Promise<ChosenDatabase> => {
  const { options, prompts } = run
  const suggestion = options.name ?? suggestName(tried.reference)
  const name =
    options.name === undefined && prompts
      ? await prompts.text({ message: 'What do you call it?', suggestion, validate: validateName })
      : suggestion
  const valid = validateName(name)
  if (valid !== true) throw flagError(`--name: ${valid}`)
  const asked =
    options.description ??
    (prompts ? await prompts.text({ message: 'What is in it, in a sentence? (Enter: nothing)' }) : '')
  const description = asked.trim() === '' ? null : asked.trim()
  await saveDatabase(run, { ...tried, name, description, fromVariable })
  run.reload()
  return { name, tried }
}

const validateName = (name: string): true | string =>
  name === sampleCompany
    ? `${sampleCompany} is the name of the sample company; take another.`
    : namePattern.test(name) || 'Letters, digits, _ and -, beginning with a letter.'
