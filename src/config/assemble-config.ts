import { dirname, resolve } from 'node:path'
import type { ColumnMask, GrantedRights, RightsSettings } from '../domain/access/data-rights.ts'
import { databaseDialects } from '../sql/dialects.ts'
import {
  type ChannelConfig,
  type Config,
  type DatabaseSettings,
  type EndpointSettings,
  type ModelSettings,
  type ModelsSettings,
  makeSecret,
  noBudgetLimits,
  type Secret,
} from './config.ts'
import type { Environment } from './env.ts'
import type { ConfigFile } from './schema/schema.ts'

/** Puts checked settings and the environment together; paths become absolute, secrets are wrapped. */
export const assembleConfig = (
  environment: Environment,
  path: string | null,
  settings: ConfigFile,
): Config => {
  const { values } = environment
  const { timeoutMs, maxRows, maxBytes } = settings.limits
  const folder = path === null ? environment.projectFolder : dirname(path)
  return {
    file: path,
    home: environment.pathIn('QUERENT_HOME') ?? resolve(environment.projectFolder, '.querent'),
    knowledgeFolder: resolve(folder, 'knowledge'),
    semanticFolder: resolve(folder, 'semantic'),
    workingFolder: environment.workingFolder,
    logLevel: (values.QUERENT_LOG_LEVEL as Config['logLevel']) ?? null,
    store: { databaseUrl: secretOrNull(values.DATABASE_URL), redisUrl: secretOrNull(values.REDIS_URL) },
    openai: { apiKey: secretOrNull(values.OPENAI_API_KEY), baseUrl: values.OPENAI_BASE_URL ?? null },
    slack: {
      botToken: secretOrNull(values.SLACK_BOT_TOKEN),
      signingSecret: secretOrNull(values.SLACK_SIGNING_SECRET),
      appToken: secretOrNull(values.SLACK_APP_TOKEN),
      clientId: values.SLACK_CLIENT_ID ?? null,
      clientSecret: secretOrNull(values.SLACK_CLIENT_SECRET),
      stateSecret: secretOrNull(values.SLACK_STATE_SECRET),
      encryptionKeys: secretOrNull(values.QUERENT_ENCRYPTION_KEYS),
      apiUrl: values.SLACK_API_URL ?? null,
      humansChannel: null,
      host: null,
      ...settings.slack,
    },
    defaultDatabase: settings.defaultDatabase ?? null,
    databases: databasesOf(settings, folder),
    rights: assembleRights(settings.access),
    ...assembleChannels(settings),
    timeZone: settings.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    limits: { timeoutMs, maxRows, maxBytes },
    heavyRows: nullForZero(settings.limits.heavyRows),
    rateLimits: {
      personPerMinute: nullForZero(settings.rateLimits.personPerMinute),
      personPerHour: nullForZero(settings.rateLimits.personPerHour),
      teamPerMinute: nullForZero(settings.rateLimits.teamPerMinute),
      teamPerHour: nullForZero(settings.rateLimits.teamPerHour),
      buttonsPerMinute: nullForZero(settings.rateLimits.buttonsPerMinute),
    },
    digests: {
      perPerson: nullForZero(settings.digests.perPerson),
      perChannel: nullForZero(settings.digests.perChannel),
    },
    export: settings.export,
    index: settings.index,
    exchanges: {
      mode: (values.QUERENT_LLM as 'record' | 'replay' | undefined) ?? 'live',
      folder: environment.pathIn('QUERENT_LLM_FOLDER'),
    },
    models: settings.models ? assembleModels(settings.models) : null,
    // Vectors are not recorded, and prompts that depend on them would not be found again.
    embedder: values.QUERENT_LLM === undefined ? (settings.models?.embedder ?? null) : null,
    linking: settings.linking,
    budget: { ...noBudgetLimits, ...settings.budget },
    strategy: settings.strategy ?? (settings.drafting.mode === 'full' ? 'chase' : 'adaptive'),
    strategies: settings.strategies,
    drafting: settings.drafting,
    answer: settings.answer,
    selection: settings.selection,
    verified: settings.verified,
    telemetry: {
      ...settings.telemetry,
      collector: values.OTEL_EXPORTER_OTLP_ENDPOINT
        ? {
            endpoint: values.OTEL_EXPORTER_OTLP_ENDPOINT,
            headers: secretOrNull(values.OTEL_EXPORTER_OTLP_HEADERS),
          }
        : null,
    },
    operations: { ...settings.operations, port: nullForZero(settings.operations.port) },
    mcp: {
      ...settings.mcp,
      tokens: withoutPrototype(settings.mcp.tokens, (_, { token, person, team, databases, claims }) => ({
        token: makeSecret(token),
        person,
        team: team ?? null,
        databases: databases ?? null,
        claims,
      })),
    },
    retention: {
      resultDays: settings.retention.resultDays,
      questionDays: nullForZero(settings.retention.questionDays),
      usageDays: nullForZero(settings.retention.usageDays),
      auditDays: nullForZero(settings.retention.auditDays),
      digestRunDays: nullForZero(settings.retention.digestRunDays),
    },
  }
}

const nullForZero = (value: number): number | null => (value === 0 ? null : value)

const databasesOf = (settings: ConfigFile, folder: string): Record<string, DatabaseSettings> => {
  // Without a prototype, so that looking up a name such as `constructor` finds nothing.
  const databases: Record<string, DatabaseSettings> = Object.create(null)
  for (const [name, database] of Object.entries(settings.databases)) {
    databases[name] = {
      url: makeAddress(urlOf(database, folder)),
      description: database.description ?? null,
      owner: database.owner ?? null,
      allowFunctions: database.allowFunctions,
      heavyRows: nullForZero(database.heavyRows ?? settings.limits.heavyRows),
      scope: { tables: database.tables, columns: database.columns },
      hidesValues: database.modelsSee === 'schema',
      personal: database.personal,
      credentials: withoutPrototype(database.credentials, (_, url) => makeAddress(absoluteUrl(url, folder))),
    }
  }
  return databases
}

const makeAddress = (url: string): Secret => makeSecret(url, { isFile: isFileAddress(url) })

/** Whether an address is that of a file, which has no password. */
export const isFileAddress = (value: string): boolean =>
  databaseDialects.some(({ address }) => address.kind === 'file' && value.startsWith(`${address.scheme}:`))

const secretOrNull = (value: string | undefined): Secret | null =>
  value === undefined ? null : makeSecret(value)

/** Paths of SQLite files are written relative to querent.yml. */
const urlOf = (database: ConfigFile['databases'][string], folder: string): string => {
  const { path, url = '' } = database
  const files = databaseDialects.flatMap(({ address }) => (address.kind === 'file' ? [address] : []))
  if (path !== undefined)
    return `${files.find(({ isDefault }) => isDefault)?.scheme}:${resolve(folder, path)}`
  return absoluteUrl(url, folder)
}

const absoluteUrl = (url: string, folder: string): string => {
  const file = databaseDialects
    .flatMap(({ address }) => (address.kind === 'file' ? [address] : []))
    .find(({ scheme }) => url.startsWith(`${scheme}:`))
  return file === undefined ? url : `${file.scheme}:${resolve(folder, url.slice(file.scheme.length + 1))}`
}

type GrantFile = ConfigFile['access']['groups'][string]['databases'][string]

const assembleRights = ({ people, groups }: ConfigFile['access']): RightsSettings => ({
  people: withoutPrototype(people, (_, claims) => claims),
  groups: Object.entries(groups).map(([name, { members, claims, databases }]) => ({
    name,
    members:
      members === 'everyone'
        ? { kind: 'everyone' }
        : { kind: 'listed', ids: members ?? [], claims: claims ?? null },
    databases: withoutPrototype(databases, (_, grant) => assembleGrant(grant)),
  })),
})

const assembleGrant = (grant: GrantFile): GrantedRights => {
  const { tables, columns, rows, masks, session, role, credentials } = grant
  const hidden = Object.keys(masks).filter(column => masks[column] === 'hide')
  return {
    scope: { tables, columns: { ...columns, mask: [...columns.mask, ...hidden] } },
    rowRules: Object.entries(rows).map(([table, condition]) => ({ table, condition })),
    columnMasks: Object.entries(masks).flatMap(([column, mask]): ColumnMask[] =>
      mask === 'hide'
        ? []
        : [typeof mask === 'object' ? { column, mask: 'bucket', width: mask.bucket } : { column, mask }],
    ),
    mayExport: grant.export,
    session: { role: role ?? null, variables: session, credentials: credentials ?? null },
  }
}

type ModelsFile = NonNullable<ConfigFile['models']>

/** What of a role may be left out. */
type RoleFile = ModelsFile['fixer']

/** Fills in what roles leave out, and wraps keys. */
const assembleModels = (models: ModelsFile): ModelsSettings => {
  const { drafter } = models
  // A share is a role's own: what the drafter may use says nothing of the others.
  const like = (role: RoleFile): ModelSettings => assembleRole({ ...drafter, ...role })
  const { seesRows, ...judge } = models.judge
  return {
    roles: {
      planner: like(models.planner),
      drafter: assembleRole(drafter),
      fixer: like(models.fixer),
      judge: like(judge),
      explainer: like(models.explainer),
      keywords: like(models.keywords),
      describer: like(models.describer),
      rewriter: like(models.rewriter),
    },
    judgeSeesRows: seesRows,
    explains: models.explainer.model !== undefined,
    drafters: (models.drafters ?? [{}]).map(one => assembleRole({ ...drafter, ...one })),
    endpoints: withoutPrototype(models.endpoints, (name, { provider, model, baseUrl, apiKey }) => ({
      provider,
      model: model ?? name,
      baseUrl: baseUrl ?? null,
      apiKey: apiKey === undefined ? null : makeSecret(apiKey),
    })) satisfies Record<string, EndpointSettings>,
    capabilities: withoutPrototype(models.capabilities, (_, able) => able),
    prices: withoutPrototype(models.prices, (_, price) => price),
    breaker: models.breaker,
  }
}

/** Settings of a role with what it takes from the drafter; the file's word `none` becomes null. */
const assembleRole = ({ temperature, maxTokens, effort, ...rest }: ModelsFile['drafter']): ModelSettings => ({
  ...rest,
  temperature: temperature === 'none' ? null : temperature,
  ...(maxTokens === undefined ? {} : { maxTokens: maxTokens === 'none' ? null : maxTokens }),
  ...(effort === undefined ? {} : { effort: effort === 'none' ? null : effort }),
})

/** Names are the user's: looking up one such as `constructor` must find nothing. */
const withoutPrototype = <T, R>(
  record: Readonly<Record<string, T>>,
  change: (name: string, value: T) => R,
): Record<string, R> => {
  const changed: Record<string, R> = Object.create(null)
  for (const [name, value] of Object.entries(record)) changed[name] = change(name, value)
  return changed
}

type ChannelFile = ConfigFile['channels'][string]

/** Where the bot answers. Channels without settings are answered as long as no channel has any, unless it is said. */
const assembleChannels = ({
  channels,
  otherChannels,
  directMessages,
}: Pick<ConfigFile, 'channels' | 'otherChannels' | 'directMessages'>): Pick<
  Config,
  'channels' | 'otherChannels' | 'directMessages'
> => {
  // Without a prototype, so that looking up a name such as `constructor` finds nothing.
  const named: Record<string, ChannelConfig> = Object.create(null)
  for (const [name, place] of Object.entries(channels)) named[name.replace(/^#/, '')] = assembleChannel(place)
  const othersToo = otherChannels.enabled ?? Object.keys(named).length === 0
  return {
    channels: named,
    otherChannels: othersToo ? assembleChannel(otherChannels) : null,
    directMessages: directMessages.enabled ? assembleChannel(directMessages) : null,
  }
}

const assembleChannel = ({
  database,
  glossary,
  strategy,
  mayAsk,
  guests,
  outsiders,
  audience,
}: ChannelFile): ChannelConfig => ({
  database: database ?? null,
  glossary: glossary ?? null,
  strategy: strategy ?? null,
  mayAsk: mayAsk ?? null,
  guests,
  outsiders,
  audience: audience ?? null,
})
