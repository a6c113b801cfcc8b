import { homedir } from 'node:os'
import { sampleCompany } from '../../bootstrap/databases/databases.ts'
import { databaseDialects } from '../../sql/dialects.ts'
import { initDatabaseCopy as copy } from '../copy/init.ts'
import {
  type ConnectedDatabase,
  connectToAddress,
  formatDatabaseKind,
  hasPassword,
  hidePassword,
  namePattern,
  suggestName,
  toAddress,
  withLogin,
} from './database-address.ts'
import { flagError, type InitRun, isCorrectable } from './prompts.ts'
import { saveDatabase, saveDefaultDatabase } from './settings.ts'

/** The database that people will ask. It answered, and it is in querent.yml. */
interface ChosenDatabase {
  readonly name: string
  /** Null for the sample company. */
  readonly tried: ConnectedDatabase | null
}

/**
 * The first step: chooses the database, connects to it, and saves it if it answers. A database of querent.yml is connected to
 * as well. Throws `QuerentError` if there is an error and nobody to ask.
 */
export const chooseDatabase = async (run: InitRun): Promise<ChosenDatabase> => {
  const { options, prompts } = run
  const { config } = run.setup()
  const given = options.databaseFromEnv ?? options.database
  if (given !== undefined) return chooseDatabaseFromFlags(run)
  const known = config.defaultDatabase ?? Object.keys(config.databases)[0] ?? null
  if (!prompts) {
    if (known === null) throw flagError(copy.nameIt(sampleCompany))
    return chooseConfiguredDatabase(run, known)
  }
  const kind = await prompts.choose({
    message: copy.which,
    choices: [
      ...(known === null ? [] : [{ value: 'known', name: copy.known(known) } as const]),
      { value: 'own', name: copy.own } as const,
      {
        value: 'sample',
        name: copy.sample,
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

/** Reports an error and asks for an address, until a database answers. */
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
  run.mark('ok', copy.sampleChosen)
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
    if (address === undefined) throw flagError(copy.variableNotSet(options.databaseFromEnv))
    return saveConnectedDatabase(run, await connectForInit(run, address), options.databaseFromEnv)
  }
  const given = options.database ?? ''
  if (given === sampleCompany) return chooseSampleCompany(run)
  if (Object.hasOwn(config.databases, given)) return chooseConfiguredDatabase(run, given)
  if (hasPassword(given)) run.mark('weak', copy.passwordInArguments)
  const address = await toAddress(given, { baseFolder: config.workingFolder, home: homedir() })
  return saveConnectedDatabase(run, await connectForInit(run, address), null)
}

const askForAddress = async (run: InitRun): Promise<ChosenDatabase> => {
  const { prompts } = run
  if (!prompts) throw flagError(copy.cannotAsk)
  const typed = await prompts.text({
    message: copy.address,
    validate: value => value !== '' || copy.addressNeeded,
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
  run.print(copy.serverFormats(servers))
  run.print(copy.fileFormats)
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
    message: copy.password(decodeURIComponent(username)),
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
  run.mark('ok', copy.connected(reference.name, formatDatabaseKind(reference), catalog.tables.length))

const saveConnectedDatabase = async (
  run: InitRun,
  tried: ConnectedDatabase,
  fromVariable: string | null,
): Promise<ChosenDatabase> => {
  const { options, prompts } = run
  const suggestion = options.name ?? suggestName(tried.reference)
  const name =
    options.name === undefined && prompts
      ? await prompts.text({ message: copy.name, suggestion, validate: validateName })
      : suggestion
  const valid = validateName(name)
  if (valid !== true) throw flagError(copy.wrongFlag('--name', valid))
  const asked = options.description ?? (prompts ? await prompts.text({ message: copy.description }) : '')
  const description = asked.trim() === '' ? null : asked.trim()
  await saveDatabase(run, { ...tried, name, description, fromVariable })
  run.reload()
  return { name, tried }
}

const validateName = (name: string): true | string =>
  name === sampleCompany ? copy.nameTaken(sampleCompany) : namePattern.test(name) || copy.namePattern
