import { inspect } from 'node:util'
import type { Claims, RightsSettings } from '../domain/access/data-rights.ts'
import type { ReadScope } from '../domain/database.ts'
import type { ModelRole } from '../domain/model.ts'
import type { Effort, ModelCapabilities } from '../domain/operations/model-capabilities.ts'
import type { QueryQuotas } from '../domain/operations/usage.ts'
import type { RunLimits } from '../domain/result.ts'
import type { DraftBudget } from '../domain/selection/draft-rounds.ts'
import type { StrategiesSettings, StrategyName } from '../domain/strategies/strategy.ts'
import { rememberSecret } from '../lib/redact.ts'

/** One database of querent.yml. */
export interface DatabaseSettings {
  /** `postgres://...`, `mysql://...`, or `sqlite:` or `duckdb:` and an absolute path. */
  readonly url: Secret
  readonly description: string | null
  /** Who to ask about its data: a name, or the Slack id of a person. */
  readonly owner: string | null
  readonly allowFunctions: readonly string[]
  /** Rows that a statement can read without asking; null for no limit. */
  readonly heavyRows: number | null
  /** The part of it that people can ask about. */
  readonly scope: ReadScope
  /** Whether no row and no value of it goes to a model. */
  readonly hidesValues: boolean
  /** Columns that are personal, and that are not, whatever they look like. */
  readonly personal: { readonly columns: readonly string[]; readonly not: readonly string[] }
  /** Other addresses of it, by name, for groups that connect as another user. */
  readonly credentials: Readonly<Record<string, Secret>>
}

/** A place the bot answers in, and for whom. Null: the default database, no glossary, everyone there. */
export interface ChannelConfig {
  readonly database: string | null
  readonly glossary: string | null
  /** Null for that of all channels. */
  readonly strategy: StrategyName | null
  /** Ids of people and of user groups. */
  readonly mayAsk: readonly string[] | null
  readonly guests: boolean
  readonly outsiders: boolean
  /** The group of `rights` that its members count as; null for what each of them sees. */
  readonly audience: string | null
}

/**
 * How the model of one role is called. A null `temperature` or `effort` is not sent; without `maxTokens` the endpoint's
 * own limit applies. `fallbacks` are asked in turn if the model fails; `budgetShare` (0 to 1) limits the role's share of a
 * question's budget.
 */
export interface ModelSettings {
  readonly model: string
  readonly temperature: number | null
  readonly maxTokens?: number | null
  readonly effort?: Effort | null
  readonly timeoutMs: number
  readonly fallbacks: readonly string[]
  readonly budgetShare: number
}

/** An endpoint other than OPENAI_BASE_URL, and the model's name there. */
export interface EndpointSettings {
  /** LangChain's name of the provider; `openai` is any endpoint with OpenAI's chat completions. */
  readonly provider: string
  readonly model: string
  readonly baseUrl: string | null
  readonly apiKey: Secret | null
}

/** The model of each role, the endpoints, and what models cost. */
export interface ModelsSettings {
  readonly roles: Readonly<Record<ModelRole, ModelSettings>>
  /** Whether rows of results are sent to the judge and the explainer. */
  readonly judgeSeesRows: boolean
  /** Whether the explainer phrases headlines. */
  readonly explains: boolean
  /** The models that draft, in turn: the drafter alone, or those of `models.drafters`. */
  readonly drafters: readonly ModelSettings[]
  /** By the names that roles use for their models. */
  readonly endpoints: Readonly<Record<string, EndpointSettings>>
  /** What models take, by the same names; what is left out is known or learned. */
  readonly capabilities: Readonly<Record<string, Partial<ModelCapabilities>>>
  /** Prices of a million tokens. */
  readonly prices: Readonly<Record<string, { readonly prompt: number; readonly completion: number }>>
  /** After this many failures within a window, a model is not called for a while. */
  readonly breaker: { readonly failures: number; readonly windowMs: number; readonly restMs: number }
}

/** A token of the MCP server, and who asks with it. */
export interface McpTokenSettings {
  readonly token: Secret
  readonly person: string
  /** The Slack workspace whose rules decide; null if only `databases` does. */
  readonly team: string | null
  /** Names from `databases`, the default first; null for the default database, or with a team all that Slack allows. */
  readonly databases: readonly string[] | null
  /** What is known about the person, for groups under `access`. */
  readonly claims: Claims
}

/** The whole configuration: read once, validated, frozen. Paths are absolute; null means "not set". */
export interface Config {
  /** The querent.yml that was read. */
  readonly file: string | null
  /** Folder for what Querent keeps on disk. It need not exist yet. */
  readonly home: string
  /** Folder of the team's knowledge: next to querent.yml, or else in the project. It need not exist. */
  readonly knowledgeFolder: string
  /** Folder of the semantic layer, next to that of the knowledge. It need not exist. */
  readonly semanticFolder: string
  /** Folder in which the command was typed; relative paths in its arguments start there. */
  readonly workingFolder: string
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent' | null
  readonly store: { readonly databaseUrl: Secret | null; readonly redisUrl: Secret | null }
  readonly openai: { readonly apiKey: Secret | null; readonly baseUrl: string | null }
  readonly slack: {
    readonly botToken: Secret | null
    readonly signingSecret: Secret | null
    readonly appToken: Secret | null
    /** For several workspaces; null for a single one, whose token is `botToken`. */
    readonly clientId: string | null
    readonly clientSecret: Secret | null
    readonly stateSecret: Secret | null
    /** As `name:key`, comma-separated: the first one encrypts, all of them decrypt. */
    readonly encryptionKeys: Secret | null
    /** Ids of the workspaces that may install the app. */
    readonly workspaces: readonly string[]
    /** Another address of Slack's Web API; null for the usual one. */
    readonly apiUrl: string | null
    readonly port: number
    /** The address to listen on; null for all addresses of this machine. */
    readonly host: string | null
    /** Questions answered at a time, per process. */
    readonly workers: number
    /** Ids of people who can stop the questions of others and decide in App Home. */
    readonly admins: readonly string[]
    /** Id of the channel in which people review answers; null if there is none. */
    readonly humansChannel: string | null
  }
  /** A name from `databases`; null for the sample company. */
  readonly defaultDatabase: string | null
  readonly databases: Readonly<Record<string, DatabaseSettings>>
  /** Who sees what of them. */
  readonly rights: RightsSettings
  /** By the id or the name of the channel, without `#`. */
  readonly channels: Readonly<Record<string, ChannelConfig>>
  /** Null if it does not answer in other channels, or in direct messages. */
  readonly otherChannels: ChannelConfig | null
  readonly directMessages: ChannelConfig | null
  /** IANA name. */
  readonly timeZone: string
  readonly limits: RunLimits
  /** Rows that a statement can read without asking, unless its database sets a limit; null for no limit. */
  readonly heavyRows: number | null
  /** Questions and clicks per minute or hour; null for no limit. */
  readonly rateLimits: {
    readonly personPerMinute: number | null
    readonly personPerHour: number | null
    readonly teamPerMinute: number | null
    readonly teamPerHour: number | null
    readonly buttonsPerMinute: number | null
  }
  /** The most digests; null for no limit. */
  readonly digests: { readonly perPerson: number | null; readonly perChannel: number | null }
  /** Limits of exported files. */
  readonly export: { readonly maxRows: number; readonly maxBytes: number }
  readonly index: { readonly timeBudgetMs: number; readonly maxAgeHours: number; readonly valueBytes: number }
  /** Whether model replies are recorded or replayed. A null folder is `llm` in `home`. */
  readonly exchanges: { readonly mode: 'live' | 'record' | 'replay'; readonly folder: string | null }
  /** Null if no model is to be called. */
  readonly models: ModelsSettings | null
  /** Null to find columns by words alone, as while model replies are recorded or replayed. */
  readonly embedder: { readonly model: string; readonly timeoutMs: number } | null
  readonly linking: { readonly tokenBudget: number }
  readonly budget: BudgetSettings
  /** How questions are answered where their channel does not say. */
  readonly strategy: StrategyName
  readonly strategies: StrategiesSettings
  /** `mostDrafts`: drafts that models write for one question. `examples`: how many of each kind are made and shown. */
  readonly drafting: {
    readonly mode: 'adaptive' | 'full'
    readonly draftBudget: DraftBudget
    readonly mostDrafts: number
    readonly examples?: { readonly features: number; readonly focused: number; readonly shown: number }
  }
  /** Confidences from 0 to 1. `cacheMinutes`: 0 to show no answer again. */
  readonly answer: {
    readonly minimumConfidence: number
    readonly costOfAsking: number
    readonly askInFullMode: boolean
    readonly cacheMinutes: number
  }
  /** `hour`: of the day, in `timeZone`. */
  readonly selection: {
    readonly learning: { readonly enabled: boolean; readonly minimumVotes: number; readonly hour: number }
  }
  /** 0 to never run verified queries again. */
  readonly verified: { readonly recheckHours: number }
  /** `collector`: null if spans are not exported. */
  readonly telemetry: {
    readonly collector: { readonly endpoint: string; readonly headers: Secret | null } | null
    readonly questionText: boolean
  }
  /** Where health and metrics are served; nowhere if the port is null. */
  readonly operations: { readonly host: string; readonly port: number | null }
  /** The MCP server. `hosts`: names that clients use for this machine. `slack`: whether Slack's own client may ask. */
  readonly mcp: {
    readonly port: number
    readonly host: string
    readonly hosts: readonly string[]
    readonly slack: boolean
    readonly tokens: Readonly<Record<string, McpTokenSettings>>
  }
  /** In days; null keeps data forever. */
  readonly retention: {
    readonly questionDays: number | null
    readonly resultDays: number
    readonly usageDays: number | null
    readonly auditDays: number | null
    readonly digestRunDays: number | null
  }
}

/** Hard limits; null for no limit. A day begins at midnight in the configured time zone. */
export interface BudgetSettings extends QueryQuotas {
  readonly modelCallsPerQuestion: number
  readonly tokensPerQuestion: number
  readonly modelTimePerQuestionMs: number
  readonly moneyPerQuestion: number | null
  readonly tokensPerUserPerDay: number | null
  readonly moneyPerUserPerDay: number | null
  readonly tokensPerChannelPerDay: number | null
  readonly moneyPerChannelPerDay: number | null
  readonly tokensPerDay: number | null
  readonly moneyPerDay: number | null
}

/** The default of limits that are not set: none. */
export const noBudgetLimits = {
  moneyPerQuestion: null,
  tokensPerUserPerDay: null,
  moneyPerUserPerDay: null,
  tokensPerChannelPerDay: null,
  moneyPerChannelPerDay: null,
  tokensPerDay: null,
  moneyPerDay: null,
  rowsPerQuestion: null,
  secondsPerQuestion: null,
  rowsPerUserPerDay: null,
  secondsPerUserPerDay: null,
  rowsPerChannelPerDay: null,
  secondsPerChannelPerDay: null,
  rowsPerDay: null,
  secondsPerDay: null,
} as const satisfies Partial<BudgetSettings>

/** A value that must not be printed; `reveal` returns it. */
export interface Secret {
  reveal(): string
  toString(): string
  toJSON(): string
}

const MASK = '[secret]'

/**
 * Wraps a secret, so that templates, JSON and `inspect` show a mask instead, and `redact` takes it out of texts. The
 * address of a file is wrapped like other addresses, but is not to be taken out.
 */
export const makeSecret = (value: string, { isFile = false } = {}): Secret => {
  if (!isFile) rememberSecret(value)
  return Object.freeze({
    reveal: () => value,
    toString: () => MASK,
    toJSON: () => MASK,
    [inspect.custom]: () => MASK,
  })
}
