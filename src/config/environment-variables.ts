import { z } from 'zod'

/** What zod stores with each variable and setting, for error messages and for docs/reference/. */
declare module 'zod' {
  interface GlobalMeta {
    /** Completes "must be ...". */
    expects?: string
    /** The value is never printed. */
    secret?: boolean
  }
}

const text = (meta: z.GlobalMeta) => z.string().optional().meta(meta)
const matching = (pattern: RegExp, meta: z.GlobalMeta) => z.string().regex(pattern).optional().meta(meta)

/** Every environment variable that Querent reads by itself; `querent.yml` may name others as `${NAME}`. */
export const environmentSchema = z.object({
  DATABASE_URL: matching(/^postgres(ql)?:\/\/./, {
    description: "Postgres for Querent's own data and jobs. Default: an embedded server.",
    expects: 'a Postgres URL, beginning with postgres://',
    examples: ['postgres://querent:PASSWORD@127.0.0.1:5432/querent'],
    secret: true,
  }),
  REDIS_URL: matching(/^rediss?:\/\/./, {
    description: 'Redis for caches and rate limits if several processes share the work.',
    expects: 'a Redis URL, beginning with redis:// or rediss://',
    examples: ['redis://127.0.0.1:6379'],
    secret: true,
  }),
  OPENAI_API_KEY: text({
    description: 'The key of the model endpoint. Used only if `models` is set in querent.yml.',
    expects: 'the key of the model endpoint',
    examples: ['your-key'],
    secret: true,
  }),
  OPENAI_BASE_URL: matching(/^https?:\/\/./, {
    description: "Any endpoint with OpenAI's chat completions. Default: OpenAI's own.",
    expects: 'an address beginning with http:// or https://',
    examples: ['http://127.0.0.1:11434/v1'],
  }),
  QUERENT_CONFIG: text({
    description:
      'The path of querent.yml. Default: `querent.yml` in the current folder, or in the project folder.',
    expects: 'the path of a file',
    examples: ['/etc/querent/querent.yml'],
  }),
  QUERENT_HOME: text({
    description: 'The folder for data on disk. Default: `.querent` in the project folder.',
    expects: 'the path of a folder',
    examples: ['/var/lib/querent'],
  }),
  QUERENT_LLM: z
    .enum(['record', 'replay'])
    .optional()
    .meta({
      description:
        '`record` keeps every exchange with a model in a folder. `replay` answers from that folder and calls no model. Default: models are called and nothing is kept.',
      expects: 'record or replay',
      examples: ['record'],
    }),
  QUERENT_LLM_FOLDER: text({
    description: 'The folder of QUERENT_LLM. Default: `llm` in QUERENT_HOME.',
    expects: 'the path of a folder',
    examples: ['/var/lib/querent/exchanges'],
  }),
  QUERENT_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error', 'silent'])
    .optional()
    .meta({
      description: 'How much is logged. Default: `warn` for commands, `info` for the server.',
      expects: 'debug, info, warn, error or silent',
      examples: ['info'],
    }),
  OTEL_EXPORTER_OTLP_ENDPOINT: matching(/^https?:\/\/./, {
    description: 'The OpenTelemetry collector for spans, over HTTP. Default: none.',
    expects: 'an address beginning with http:// or https://',
    examples: ['http://127.0.0.1:4318'],
  }),
  OTEL_EXPORTER_OTLP_HEADERS: text({
    description: 'Headers for the collector, `name=value`, separated by commas.',
    expects: 'headers such as name=value',
    examples: ['authorization=Bearer%20your-token'],
    secret: true,
  }),
  SLACK_BOT_TOKEN: matching(/^xoxb-./, {
    description: "The bot's token.",
    expects: 'a bot token, beginning with xoxb-',
    examples: ['xoxb-your-token'],
    secret: true,
  }),
  SLACK_SIGNING_SECRET: text({
    description: 'Proves that an HTTP request comes from Slack.',
    expects: 'the signing secret of the app',
    examples: ['your-signing-secret'],
    secret: true,
  }),
  SLACK_APP_TOKEN: matching(/^xapp-./, {
    description: 'The app-level token for Socket Mode, if Slack cannot call over HTTP.',
    expects: 'an app-level token, beginning with xapp-',
    examples: ['xapp-your-token'],
    secret: true,
  }),
  SLACK_CLIENT_ID: matching(/^[0-9.]+$/, {
    description:
      'For several workspaces, instead of SLACK_BOT_TOKEN: the app that workspaces install at /slack/install.',
    expects: 'the client id of the app: digits and a dot',
    examples: ['1234567890.1234567890'],
  }),
  SLACK_CLIENT_SECRET: text({
    description: 'Proves to Slack that the app is yours when it is installed and when tokens are refreshed.',
    expects: 'the client secret of the app',
    examples: ['your-client-secret'],
    secret: true,
  }),
  SLACK_STATE_SECRET: matching(/^.{32,}$/, {
    description: 'Signs the state of an installation, so that nobody can start one for someone else.',
    expects: 'at least 32 random characters, the same in every replica',
    examples: ['32-or-more-random-characters-here'],
    secret: true,
  }),
  QUERENT_ENCRYPTION_KEYS: matching(
    /^[a-z0-9_-]{1,32}:[A-Za-z0-9+/]{43}=(,[a-z0-9_-]{1,32}:[A-Za-z0-9+/]{43}=)*$/i,
    {
      description:
        'The keys that encrypt the tokens of workspaces: `name:key`, separated by commas. The first one encrypts, all of them decrypt.',
      expects: 'a name and 32 bytes in base64, as `openssl rand -base64 32` writes them',
      examples: ['2026:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='],
      secret: true,
    },
  ),
  SLACK_API_URL: matching(/^https?:\/\/./, {
    description: "Another address of Slack's Web API, such as the simulator's. Default: Slack's own.",
    expects: 'an address beginning with http:// or https://',
    examples: ['http://127.0.0.1:4003/api/'],
  }),
  INIT_CWD: text({
    description: 'Set by npm: the current folder. Relative paths start there.',
    expects: 'the path of a folder',
    examples: ['/home/you/work'],
  }),
  QUERENT_REQUIRE_SERVICES: text({
    description: 'For the tests: `1` makes a missing database server a failure instead of a skipped suite.',
    expects: '1',
    examples: ['1'],
  }),
})

/** Name of a variable that Querent reads. */
export type VariableName = keyof typeof environmentSchema.shape

export const variableNames = Object.keys(environmentSchema.shape) as readonly VariableName[]
