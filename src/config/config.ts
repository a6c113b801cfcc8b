import { inspect } from 'node:util'
import type { ReadScope } from '../domain/database.ts'
import type { ModelRole } from '../domain/model.ts'
import type { QueryQuotas } from '../domain/operations/usage.ts'
import type { RunLimits } from '../domain/result.ts'

/** One database of querent.yml. */
export interface DatabaseSettings {
  /** `postgres://...`, `mysql://...`, or `sqlite:` or `duckdb:` and an absolute path. */
  readonly url: Secret
  readonly description: string | null
  /** Whom to ask about it: a name, or a person of Slack by id. */
  readonly owner: string | null
  readonly allowFunctions: readonly string[]
  /** Rows that a statement may read without anybody being asked; null for any number. */
  readonly heavyRows: number | null
  /** What of it may be asked about. */
  readonly scope: ReadScope
}

/** Where the bot answers, and whom. Null: the default database, no glossary, everyone who is there. */
export interface ChannelConfig {
  readonly database: string | null
  readonly glossary: string | null
  /** Ids of people and of user groups. */
  readonly mayAsk: readonly string[] | null
  readonly guests: boolean
  readonly outsiders: boolean
}

/**
 * How one job's model is called. A `temperature` that is null is not sent; without `maxTokens`, or with null, the
 * endpoint's own limit holds. `fallbacks` are asked in turn when
 * the model cannot be; `budgetShare` (0 to 1) is how much of a question's budget the job may use.
 */
export interface ModelSettings {
  readonly model: string
  readonly temperature: number | null
  readonly maxTokens?: number | null
  readonly timeoutMs: number
  readonly fallbacks: readonly string[]
  readonly budgetShare: number
}

/** Where a model is that is not at OPENAI_BASE_URL, and what it is called there. */
export interface EndpointSettings {
  /** LangChain's name of who serves it; `openai` is every endpoint that speaks OpenAI's chat completions. */
  readonly provider: string
  readonly model: string
  readonly baseUrl: string | null
  readonly apiKey: Secret | null
}

/** Which model does which job, where the models are, and what they cost. */
export interface ModelsSettings {
  readonly roles: Readonly<Record<ModelRole, ModelSettings>>
  /** Whether rows of results are sent to the judge. */
  readonly judgeSeesRows: boolean
  /** Who drafts, in turn: the drafter alone, or those of `models.drafters`. */
  readonly drafters: readonly ModelSettings[]
  /** By the names that roles use. */
  readonly endpoints: Readonly<Record<string, EndpointSettings>>
  /** Money for a million tokens. */
  readonly prices: Readonly<Record<string, { readonly prompt: number; readonly completion: number }>>
  /** After so many failures within a window a model is left alone for a while. */
  readonly breaker: { readonly failures: number; readonly windowMs: number; readonly restMs: number }
}

/** The whole configuration: read once, validated, frozen. Paths are absolute; null means "not set". */
export interface Config {
  /** The querent.yml that was read. */
  readonly file: string | null
  /** Folder for what Querent keeps on disk. It need not exist yet. */
  readonly home: string
  /** Folder of what the team knows, beside querent.yml, else in the project. It need not exist. */
  readonly knowledgeFolder: string
  /** Folder that the command was typed in: relative paths among its arguments start there. */
  readonly workingFolder: string
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent' | null
  readonly store: { readonly databaseUrl: Secret | null; readonly redisUrl: Secret | null }
  readonly openai: { readonly apiKey: Secret | null; readonly baseUrl: string | null }
  readonly slack: {
    readonly botToken: Secret | null
    readonly signingSecret: Secret | null
    readonly appToken: Secret | null
    /** For several workspaces; null where there is one, whose token is `botToken`. */
    readonly clientId: string | null
    readonly clientSecret: Secret | null
    readonly stateSecret: Secret | null
    /** As `name:key`, comma-separated: the first one encrypts, all of them decrypt. */
    readonly encryptionKeys: Secret | null
    /** Ids of the workspaces that the app may be installed in. */
    readonly workspaces: readonly string[]
    /** Another address of the Web API; null for Slack's own. */
    readonly apiUrl: string | null
    readonly port: number
    /** Questions that one process works on at a time. */
    readonly workers: number
    /** Ids of people who may stop the questions of others, and decide in App Home. */
    readonly admins: readonly string[]
    /** Id of the channel where people look at answers; null where nobody does. */
    readonly humansChannel: string | null
  }
  /** A name out of `databases`; null for the sample company. */
  readonly defaultDatabase: string | null
  readonly databases: Readonly<Record<string, DatabaseSettings>>
  /** By the id or the name of the channel, without `#`. */
  readonly channels: Readonly<Record<string, ChannelConfig>>
  /** Null where it does not answer in other channels, or not in direct messages. */
  readonly otherChannels: ChannelConfig | null
  readonly directMessages: ChannelConfig | null
  /** IANA name. */
  readonly timeZone: string
  readonly limits: RunLimits
  /** Rows that a statement may read without anybody being asked, where a database says nothing else; null for any number. */
  readonly heavyRows: number | null
  /** Questions and clicks within a minute or an hour; null where there is no limit. */
  readonly rateLimits: {
    readonly personPerMinute: number | null
    readonly personPerHour: number | null
    readonly teamPerMinute: number | null
    readonly teamPerHour: number | null
    readonly buttonsPerMinute: number | null
  }
  /** Digests that there may be; null where there is no limit. */
  readonly digests: { readonly perPerson: number | null; readonly perChannel: number | null }
  /** Caps on files with whole results. */
  readonly export: { readonly maxRows: number; readonly maxBytes: number }
  readonly index: { readonly timeBudgetMs: number; readonly maxAgeHours: number; readonly valueBytes: number }
  /** Whether exchanges with models are kept, or answered from what was kept. A null folder is `llm` in `home`. */
  readonly exchanges: { readonly mode: 'live' | 'record' | 'replay'; readonly folder: string | null }
  /** Null when no model is to be called. */
  readonly models: ModelsSettings | null
  /** Null where columns are found by their words alone, as while exchanges are recorded or replayed. */
  readonly embedder: { readonly model: string; readonly timeoutMs: number } | null
  readonly linking: { readonly tokenBudget: number }
  readonly budget: BudgetSettings
  /** `mostDrafts`: model drafts of one question. */
  readonly drafting: { readonly mode: 'adaptive' | 'full'; readonly mostDrafts: number }
  /** Confidences from 0 to 1. `cacheMinutes` is 0 where no answer is shown again. */
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
  /** 0 where verified queries are never run again. */
  readonly verified: { readonly recheckHours: number }
  /** `collector` is null where spans go nowhere. */
  readonly telemetry: {
    readonly collector: { readonly endpoint: string; readonly headers: Secret | null } | null
    readonly questionText: boolean
  }
  /** Where health and metrics are served; a null port serves nowhere. */
  readonly operations: { readonly host: string; readonly port: number | null }
  /** Days; null for ever. */
  readonly retention: {
    readonly questionDays: number | null
    readonly resultDays: number
    readonly usageDays: number | null
    readonly auditDays: number | null
    readonly digestRunDays: number | null
  }
}

/** Hard limits; null where there is none. Days are cut in the time zone of the configuration. */
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

/** No limit where none has a default. */
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

/** A value that must not be printed: whoever needs it says so by `reveal`. */
export interface Secret {
  reveal(): string
  toString(): string
  toJSON(): string
}

const MASK = '[secret]'

/** Wraps a secret, so that templates, JSON and `inspect` show a mask instead. */
export const makeSecret = (value: string): Secret =>
  Object.freeze({
    reveal: () => value,
    toString: () => MASK,
    toJSON: () => MASK,
    [inspect.custom]: () => MASK,
  })
