// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is what people write in querent.yml.
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { noBudgetLimits } from '../../src/config/config.ts'
import type { EnvironmentSource } from '../../src/config/env.ts'
import { listSecrets, loadConfig } from '../../src/config/load-config.ts'
import { QuerentError } from '../../src/domain/errors.ts'
import { strategiesSchema } from '../../src/domain/strategies/strategy.ts'
import { makeFolder } from './make-folder.ts'

const problemsOf = (source: EnvironmentSource): string[] => {
  try {
    loadConfig(source)
  } catch (error) {
    expect(error).toBeInstanceOf(QuerentError)
    expect((error as QuerentError).code).toBe('bad-configuration')
    return (error as QuerentError).message
      .split('\n')
      .slice(1)
      .map(line => line.trim())
  }
  return []
}

const problemsIn = (yaml: string, env: EnvironmentSource['env'] = {}): string[] =>
  problemsOf({ env, cwd: makeFolder({ 'querent.yml': yaml }) })

const load = (yaml: string, env: EnvironmentSource['env'] = {}) => {
  const cwd = makeFolder({ 'querent.yml': yaml })
  return { config: loadConfig({ env, cwd }), cwd }
}

/** A place without settings of its own. */
const everybody = {
  database: null,
  glossary: null,
  strategy: null,
  mayAsk: null,
  guests: false,
  outsiders: false,
  audience: null,
}

describe('without any configuration', () => {
  it('every setting has its default', () => {
    const cwd = makeFolder()
    expect(loadConfig({ env: {}, cwd })).toEqual({
      file: null,
      home: join(cwd, '.querent'),
      knowledgeFolder: join(cwd, 'knowledge'),
      semanticFolder: join(cwd, 'semantic'),
      workingFolder: cwd,
      logLevel: null,
      store: { databaseUrl: null, redisUrl: null },
      openai: { apiKey: null, baseUrl: null },
      slack: {
        botToken: null,
        signingSecret: null,
        appToken: null,
        clientId: null,
        clientSecret: null,
        stateSecret: null,
        encryptionKeys: null,
        workspaces: [],
        apiUrl: null,
        port: 3000,
        host: null,
        workers: 4,
        humansChannel: null,
        admins: [],
      },
      defaultDatabase: null,
      databases: {},
      rights: { people: {}, groups: [] },
      channels: {},
      otherChannels: everybody,
      directMessages: everybody,
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      limits: { timeoutMs: 30_000, maxRows: 10_000, maxBytes: 20_000_000 },
      heavyRows: 50_000_000,
      rateLimits: {
        personPerMinute: 20,
        personPerHour: 200,
        teamPerMinute: 300,
        teamPerHour: 3000,
        buttonsPerMinute: 60,
      },
      digests: { perPerson: 50, perChannel: 50 },
      export: { maxRows: 100_000, maxBytes: 100_000_000 },
      index: { timeBudgetMs: 120_000, maxAgeHours: 24, valueBytes: 268_435_456 },
      exchanges: { mode: 'live', folder: null },
      models: null,
      embedder: null,
      linking: { tokenBudget: 6000 },
      budget: {
        modelCallsPerQuestion: 30,
        tokensPerQuestion: 200_000,
        modelTimePerQuestionMs: 180_000,
        ...noBudgetLimits,
      },
      strategy: 'adaptive',
      strategies: strategiesSchema.parse({}),
      drafting: {
        mode: 'adaptive',
        draftBudget: 'balanced',
        mostDrafts: 21,
        examples: { features: 5, focused: 4, shown: 6 },
      },
      answer: { minimumConfidence: 0.3, costOfAsking: 0.12, askInFullMode: false, cacheMinutes: 15 },
      selection: { learning: { enabled: true, minimumVotes: 100, hour: 3 } },
      verified: { recheckHours: 24 },
      telemetry: { collector: null, questionText: false },
      operations: { host: '127.0.0.1', port: 9464 },
      mcp: { host: '127.0.0.1', port: 3323, hosts: [], slack: false, tokens: {} },
      retention: { questionDays: 365, resultDays: 7, usageDays: 730, auditDays: 365, digestRunDays: 90 },
    })
  })

  it('0 turns off the port for operators, and keeps data forever', () => {
    const { config } = load('operations: {port: 0}\nretention: {questionDays: 0, auditDays: 30}\n')
    expect(config.operations.port).toBeNull()
    expect(config.retention).toMatchObject({ questionDays: null, auditDays: 30, usageDays: 730 })
    expect(problemsIn('retention: {resultDays: 0}')).toEqual([
      expect.stringContaining('a whole number of days from 1 to 36500'),
    ])
  })

  it('a database can have its own number of rows for expensive statements', () => {
    const shop =
      'databases: {shop: {path: shop.sqlite, heavyRows: 7}, wide: {path: wide.sqlite, heavyRows: 0}}'
    const { config } = load(`limits: {heavyRows: 5}\n${shop}\n`)
    expect([config.heavyRows, config.databases.shop?.heavyRows, config.databases.wide?.heavyRows]).toEqual([
      5,
      7,
      null,
    ])
    expect(load('limits: {heavyRows: 0}\n').config.heavyRows).toBeNull()
  })

  it('0 removes a rate limit', () => {
    const { config } = load('rateLimits: {personPerMinute: 0, teamPerHour: 50}\n')
    expect(config.rateLimits).toMatchObject({ personPerMinute: null, personPerHour: 200, teamPerHour: 50 })
  })

  it('0 removes a limit on digests', () => {
    expect(load('digests: {perPerson: 0}\n').config.digests).toEqual({ perPerson: null, perChannel: 50 })
  })

  it('an empty file and empty groups change nothing', () => {
    const bare = loadConfig({ env: {}, cwd: makeFolder() })
    for (const yaml of ['', '# nothing\n', 'limits:\n#  maxRows: 5\ndatabases:\nmodels:\nbudget:\n']) {
      const { config, cwd } = load(yaml)
      expect(config).toEqual({
        ...bare,
        file: join(cwd, 'querent.yml'),
        home: join(cwd, '.querent'),
        knowledgeFolder: join(cwd, 'knowledge'),
        semanticFolder: join(cwd, 'semantic'),
        workingFolder: cwd,
      })
    }
  })
})

describe('the configuration has', () => {
  it('settings, with variables filled in and paths made absolute', () => {
    const { config, cwd } = load(
      [
        'defaultDatabase: shop',
        'databases:',
        '  shop: {url: "${SHOP}", description: "costs $${5}", allowFunctions: [fiscal_quarter]}',
        '  pets: {path: data/pets.sqlite}',
        '  birds: {url: "sqlite:../birds.sqlite"}',
        'timeZone: Asia/Tokyo',
        'limits: {timeoutMs: 500}',
        'models:',
        '  drafter: {model: big, maxTokens: 900, fallbacks: [small], budgetShare: 0.7}',
        '  drafters: [{model: big}, {model: other, temperature: 1}]',
        '  fixer: {model: small, temperature: 0.5, fallbacks: []}',
        '  judge: {budgetShare: 0.3}',
        '  rewriter: {temperature: none, maxTokens: none}',
        '  endpoints: {other: {provider: anthropic, model: claude, apiKey: "${OTHER_KEY}"}}',
        '  prices: {big: {prompt: 1, completion: 2}}',
        'budget: {tokensPerDay: 5000}',
        'answer: {minimumConfidence: 0}',
      ].join('\n'),
      { SHOP: 'postgres://reader:pw@db/shop', OPENAI_API_KEY: 'key', OTHER_KEY: 'key-of-another' },
    )
    expect(config.defaultDatabase).toBe('shop')
    expect(config.databases.shop?.url.reveal()).toBe('postgres://reader:pw@db/shop')
    expect(config.databases.shop).toMatchObject({
      description: 'costs ${5}',
      owner: null,
      allowFunctions: ['fiscal_quarter'],
    })
    expect(config.databases.pets?.url.reveal()).toBe(`sqlite:${join(cwd, 'data/pets.sqlite')}`)
    expect(config.databases.birds?.url.reveal()).toBe(`sqlite:${join(cwd, '../birds.sqlite')}`)
    expect(config.databases.constructor).toBeUndefined()
    expect(config.timeZone).toBe('Asia/Tokyo')
    expect(config.limits).toEqual({ timeoutMs: 500, maxRows: 10_000, maxBytes: 20_000_000 })
    const drafter = {
      model: 'big',
      temperature: 0,
      maxTokens: 900,
      timeoutMs: 60_000,
      fallbacks: ['small'],
      budgetShare: 0.7,
    }
    const like = { ...drafter, budgetShare: 1 }
    expect(config.models?.roles).toEqual({
      planner: like,
      drafter,
      fixer: { ...like, model: 'small', temperature: 0.5, fallbacks: [] },
      judge: { ...like, budgetShare: 0.3 },
      explainer: { ...like, timeoutMs: 15_000 },
      keywords: { ...like, timeoutMs: 15_000 },
      describer: like,
      rewriter: { ...like, timeoutMs: 15_000, temperature: null, maxTokens: null },
    })
    expect(config.models?.drafters).toEqual([drafter, { ...drafter, model: 'other', temperature: 1 }])
    expect(config.models?.endpoints.other).toMatchObject({ provider: 'anthropic', model: 'claude' })
    expect(config.models?.endpoints.other?.apiKey?.reveal()).toBe('key-of-another')
    expect(config.models?.endpoints.constructor).toBeUndefined()
    expect(config.models?.prices).toEqual({ big: { prompt: 1, completion: 2 } })
    expect(config.budget).toMatchObject({ tokensPerDay: 5_000, tokensPerUserPerDay: null, moneyPerDay: null })
    expect(config.answer.minimumConfidence).toBe(0)
  })

  it('the environment, over .env, empty variables counting as unset', () => {
    const cwd = makeFolder({
      '.env': 'REDIS_URL=redis://from-file\nOPENAI_BASE_URL=http://from-file/v1\nQUERENT_HOME=kept\n',
    })
    const env = { OPENAI_BASE_URL: 'http://real/v1', REDIS_URL: '', DATABASE_URL: 'postgresql://db/q' }
    const config = loadConfig({ env, cwd })
    expect(config.store.redisUrl?.reveal()).toBe('redis://from-file')
    expect(config.store.databaseUrl?.reveal()).toBe('postgresql://db/q')
    expect(config.openai.baseUrl).toBe('http://real/v1')
    expect(config.home).toBe(join(cwd, 'kept'))
  })

  it('the collector of spans with secret headers, and nothing of LangSmith', () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20very-secret',
      LANGSMITH_TRACING: 'true',
      LANGSMITH_API_KEY: 'key',
      LANGSMITH_ENDPOINT: 'http://127.0.0.1:1984',
      LANGSMITH_PROJECT: 'querent',
    }
    const config = loadConfig({ env, cwd: makeFolder() })
    expect(config.telemetry.collector?.endpoint).toBe('http://127.0.0.1:4318')
    expect(JSON.stringify(config)).not.toContain('very-secret')
    expect(listSecrets(config)).toEqual([
      'authorization=Bearer%20very-secret',
      'Bearer%20very-secret',
      'Bearer very-secret',
      'very-secret',
    ])
  })

  it('querent.yml of the current folder, of the project, or the one that is named', () => {
    const cwd = makeFolder({
      'querent.yml': 'timeZone: Asia/Tokyo',
      'sub/querent.yml': 'timeZone: Asia/Seoul',
      'other/q.yml': 'timeZone: Asia/Dubai',
      'empty/x': '',
    })
    const zone = (env: EnvironmentSource['env'] = {}) => loadConfig({ env, cwd }).timeZone
    expect(zone()).toBe('Asia/Tokyo')
    expect(zone({ INIT_CWD: join(cwd, 'empty') })).toBe('Asia/Tokyo')
    expect(zone({ INIT_CWD: join(cwd, 'sub') })).toBe('Asia/Seoul')
    expect(zone({ INIT_CWD: join(cwd, 'sub'), QUERENT_CONFIG: '../other/q.yml' })).toBe('Asia/Dubai')
  })

  it('relative paths of the environment start in the current folder', () => {
    const cwd = makeFolder()
    const config = loadConfig({ env: { INIT_CWD: join(cwd, 'sub'), QUERENT_HOME: 'here' }, cwd })
    expect(config.workingFolder).toBe(join(cwd, 'sub'))
    expect(config.home).toBe(join(cwd, 'sub', 'here'))
    expect(loadConfig({ env: { INIT_CWD: join(cwd, 'sub') }, cwd }).home).toBe(join(cwd, '.querent'))
  })

  it('is frozen deeply', () => {
    const { config } = load('databases: {a: {path: a.sqlite}}')
    const assign = (target: object, key: string) => () => Reflect.set(target, key, 'x')
    expect(assign(config, 'timeZone')()).toBe(false)
    expect(assign(config.limits, 'maxRows')()).toBe(false)
    expect(assign(config.databases, 'b')()).toBe(false)
    expect(assign(config.databases.a ?? {}, 'description')()).toBe(false)
  })
})

describe('problems', () => {
  it('are listed together, in the order of the lines', () => {
    const yaml = [
      'limit:',
      '  maxRows: 1',
      'limits:',
      '  maxRows: 0',
      '  timeout: 5',
      'timeZone: Mars/Base',
      'databases:',
      '  shop:',
      '    url: ${NOT_SET}',
    ].join('\n')
    const found = problemsIn(yaml, { QUERENT_LOGLEVEL: 'info', REDIS_URL: 'ftp://x' })
    expect(found.map(line => line.split(': ')[0])).toEqual([
      'environment',
      'environment',
      'querent.yml:1:1',
      'querent.yml:4:12',
      'querent.yml:5:3',
      'querent.yml:6:11',
      'querent.yml:9:10',
    ])
  })

  it.each([
    ['limits: {maxRow: 4}', 'querent.yml:1:10: There is no setting limits.maxRow. Did you mean maxRows?'],
    ['max_rows: 4', 'querent.yml:1:1: There is no setting max_rows. The settings here are'],
    ['maxRows: 4', 'querent.yml:1:1: There is no setting maxRows. Did you mean limits.maxRows?'],
    ['databases: {a: {path: x, ur: y}}', 'There is no setting databases.a.ur. Did you mean url?'],
    ['limits: {constructor: 4}', 'There is no setting limits.constructor. The settings here are: timeoutMs'],
    [
      'limits: {maxRows: "many"}',
      '1:19: limits.maxRows must be a whole number of rows from 1 to 1000000, not "many"',
    ],
    ['limits: {maxRows: 1.5}', 'limits.maxRows must be a whole number of rows'],
    ['limits: {maxRows: }', '1:10: limits.maxRows is empty. It must be a whole number'],
    ['limits: 4', '1:9: limits must be a group of settings (timeoutMs, maxRows, maxBytes, heavyRows), not 4'],
    ['limits: {maxRows: 0}', 'For example: maxRows: 10000'],
    [
      'timeZone: Mars/Base',
      'timeZone must be an IANA time zone, not "Mars/Base". For example: timeZone: Europe/Berlin',
    ],
    ['answer: {minimumConfidence: 80}', 'answer.minimumConfidence must be a number from 0 to 1, not 80'],
    ['databases: {2a: {path: x}}', '1:13: The name "2a" must be letters, digits'],
    ['databases: {a: {path: x, url: "sqlite:x"}}', 'databases.a has both url and path'],
    ['databases: {a: {description: x}}', 'databases.a needs a url, or the path of a SQLite file'],
    ['databases:\n  a:\n', '2:3: databases.a is empty'],
    [
      'databases: {a: {url: "oracle://x"}}',
      'databases.a.url must be postgres://..., mysql://..., trino://..., spark://..., clickhouse://..., redshift://..., snowflake://..., bigquery://..., sqlite:PATH or duckdb:PATH.',
    ],
    [
      'databases: {a: {path: x, allowFunctions: ["drop table"]}}',
      'databases.a.allowFunctions.0 must be the name of a function, not "drop table"',
    ],
    [
      'databases: {shop: {path: x}}\ndefaultDatabase: shp',
      '2:18: defaultDatabase is "shp", which is not under databases. Did you mean shop?',
    ],
    ['models: {drafter: {model: m}}', '1:1: models needs OPENAI_API_KEY'],
    [
      'models:\n  drafter: {model: m}\n  embedder: {model: n}\n  endpoints: {m: {provider: groq}, n: {provider: groq}}',
      "3:21: models.embedder needs an endpoint with OpenAI's API, but n is at groq.",
    ],
    [
      'models:\n  drafter: {model: m, fallbacks: [n]}\n  endpoints: {m: {baseUrl: "http://m/v1"}}',
      '1:1: models needs OPENAI_API_KEY',
    ],
    [
      'models:\n  drafter: {model: m, fallbacks: [n]}\n  endpoints: {m: {baseUrl: "http://m"}, n: {provider: groq}}\n' +
        '  prices: {m: {prompt: 1, completion: 1}}\nbudget: {moneyPerDay: 5}',
      '5:23: budget.moneyPerDay needs the price of every model. Add n to models.prices',
    ],
    ['models: {fixer: {model: m}}', 'models.drafter'],
    ['models: {drafter: {temperature: 1}}', 'models.drafter.model is missing'],
    [
      'models: {drafter: {model: m, temperature: off}}',
      'models.drafter.temperature must be a number from 0 to 2, or none, not "off"',
    ],
    ['timeZone: ${A-B}', 'Write ${NAME} with the name of an environment variable'],
    ['timeZone: ${ZONE}', '1:11: The environment variable ZONE is not set'],
    ['- a\n- b', 'querent.yml:1:1: The file must have one'],
    ['a: "b', 'not valid YAML'],
    ['limits: {maxRows: 1}\nlimits: {maxRows: 2}', '2:1: This is not valid YAML: Map keys must be unique'],
    ['timeZone: *nowhere', 'not valid YAML'],
  ])('%j', (yaml, expected) => {
    expect(problemsIn(yaml).join('\n')).toContain(expected)
  })

  it('have the line of the anchor if a group is an alias of it', () => {
    const yaml = 'limits: &l\n  maxRows: 0\nbudget: *l\n'
    expect(problemsIn(yaml)).toEqual([
      expect.stringMatching(/^querent\.yml:2:3: There is no setting budget\.maxRows/),
      expect.stringMatching(/^querent\.yml:2:12: limits\.maxRows must be/),
    ])
  })

  it.each([
    [
      { QUERENT_LOGLEVEL: 'info' },
      'environment: Querent has no variable QUERENT_LOGLEVEL. Did you mean QUERENT_LOG_LEVEL?',
    ],
    [{ QUERENT_XYZ: '1' }, 'environment: Querent has no variable QUERENT_XYZ. Remove it.'],
    [
      { QUERENT_LOG_LEVEL: 'loud' },
      'QUERENT_LOG_LEVEL must be debug, info, warn, error or silent, not "loud"',
    ],
    [{ QUERENT_LLM: 'rewind' }, 'QUERENT_LLM must be record or replay, not "rewind"'],
    [{ DATABASE_URL: 'mysql://h/d' }, 'DATABASE_URL must be a Postgres URL'],
    [{ SLACK_BOT_TOKEN: 'xapp-1' }, 'SLACK_BOT_TOKEN must be a bot token, beginning with xoxb-'],
    [{ SLACK_APP_TOKEN: 'xoxb-1' }, 'SLACK_APP_TOKEN must be an app-level token'],
    [{ OPENAI_BASE_URL: 'localhost:1' }, 'OPENAI_BASE_URL must be an address'],
    [{ QUERENT_CONFIG: 'gone.yml' }, 'gone.yml: QUERENT_CONFIG names a file that cannot be read'],
  ])('%j', (env, expected) => {
    expect(problemsOf({ env, cwd: makeFolder() }).join('\n')).toContain(expected)
  })

  it('needs no key and no embedder if replies are replayed', () => {
    const yaml = 'models: {drafter: {model: m}, embedder: {model: e}}'
    const cwd = makeFolder({ 'querent.yml': yaml })
    const config = loadConfig({ env: { QUERENT_LLM: 'replay', QUERENT_LLM_FOLDER: 'kept' }, cwd })
    expect(config.exchanges).toEqual({ mode: 'replay', folder: join(cwd, 'kept') })
    expect(config.embedder).toBeNull()
    expect(problemsOf({ env: { QUERENT_LLM: 'record' }, cwd }).join()).toContain(
      'models needs OPENAI_API_KEY',
    )
  })

  it('have the line of .env', () => {
    const cwd = makeFolder({ '.env': '# notes\nREDIS_URL=x\n\nexport QUERENT_HOM=1\n' })
    expect(problemsOf({ env: {}, cwd }).map(line => line.split(': ')[0])).toEqual(['.env:2', '.env:4'])
  })
})

it('reports a .env that cannot be read', () => {
  expect(problemsOf({ env: {}, cwd: makeFolder({ '.env/x': '' }) })).toEqual([])
  expect(() => loadConfig({ env: {}, cwd: makeFolder({ '.env/x': '' }) })).toThrow(
    /Cannot read .*\.env\. Correct/,
  )
})

describe('secrets', () => {
  it('are never in a message', () => {
    const env = {
      DATABASE_URL: 'mysql://u:hunter2@h',
      REDIS_URL: 'hunter2',
      SLACK_BOT_TOKEN: 'hunter2',
      ZONE: 'hunter2',
      URL_: 'oracle://u:hunter2@h',
    }
    const yaml = 'timeZone: ${ZONE}\ndatabases: {a: {url: "${URL_}"}, b: {url: "oracle://u:hunter2@h"}}'
    const found = problemsIn(yaml, env)
    expect(found).toHaveLength(6)
    expect(found.join('\n')).not.toContain('hunter2')
  })

  it('are masked if a configuration is printed', () => {
    const { config } = load('databases: {a: {url: "postgres://u:hunter2@h/d"}}', {
      OPENAI_API_KEY: 'hunter2',
    })
    const printed = [inspect(config, { depth: 9 }), JSON.stringify(config), `${config.openai.apiKey}`].join(
      '\n',
    )
    expect(printed).not.toContain('hunter2')
    expect(config.openai.apiKey?.reveal()).toBe('hunter2')
  })

  it('are listed for the log: keys in full, URLs by their password', () => {
    const { config } = load(
      [
        'databases: {a: {url: "postgres://u:p%40ss@h/d"}, b: {url: "postgres://h/d"}, c: {path: x}}',
        'models: {drafter: {model: m}, endpoints: {m: {apiKey: another-key}}}',
      ].join('\n'),
      { OPENAI_API_KEY: 'key', DATABASE_URL: 'postgres://u:pw@h/d' },
    )
    expect(listSecrets(config)).toEqual(['pw', 'key', 'another-key', 'p%40ss', 'p@ss'])
  })
})

describe('strategies', () => {
  it('have the defaults of their papers, and are those of querent.yml where it names them', () => {
    const { config } = load(
      'models: {drafter: {model: m}}\nstrategy: mac-sql\nstrategies: {mac-sql: {shots: 1}}\n',
      {
        OPENAI_API_KEY: 'key',
      },
    )
    expect(config.strategy).toBe('mac-sql')
    expect(config.strategies['mac-sql']).toMatchObject({ shots: 1, refinements: 3 })
    expect(load('drafting: {mode: full}\n').config.strategy).toBe('chase')
  })

  it('need a model if they are published systems', () => {
    expect(problemsIn('strategy: mac-sql\n')).toEqual([
      expect.stringContaining('strategy is mac-sql, which asks models, and none is configured'),
    ])
    expect(problemsIn('otherChannels: {strategy: discussion}\n')).toEqual([
      expect.stringContaining('otherChannels.strategy is discussion'),
    ])
  })

  it('have no settings but their own', () => {
    expect(problemsIn('strategies: {mac-sql: {rounds: 3}}\n').join()).toContain('strategies.mac-sql.rounds')
  })
})

describe('where the bot answers', () => {
  const shop = 'databases:\n  shop:\n    path: shop.sqlite\n'

  it('is everywhere if no channel is named', () => {
    const { config } = load(shop)
    expect(config.otherChannels).toEqual(everybody)
    const named = load(`${shop}channels:\n  '#sales':\n    database: shop\n    mayAsk: [U1, S1]\n`).config
    expect({ ...named.channels }).toEqual({ sales: { ...everybody, database: 'shop', mayAsk: ['U1', 'S1'] } })
    expect(named.otherChannels).toBeNull()
    expect(named.directMessages).toEqual(everybody)
  })

  it('can be all other channels, and not direct messages', () => {
    const { config } = load(
      `${shop}channels:\n  sales:\n    glossary: finance\notherChannels:\n  enabled: true\n  guests: true\ndirectMessages:\n  enabled: false\n`,
    )
    expect(config.channels.sales?.glossary).toBe('finance')
    expect(config.otherChannels).toEqual({ ...everybody, guests: true })
    expect(config.directMessages).toBeNull()
  })

  it('has existing databases, and glossaries and people as they are written', () => {
    expect(
      problemsIn(
        `${shop}channels:\n  sales:\n    database: shops\n    glossary: ../secrets\n    mayAsk: [ada]\ndirectMessages:\n  database: none\n`,
      ),
    ).toEqual([
      expect.stringContaining(
        'channels.sales.database is "shops", which is not under databases. Did you mean shop?',
      ),
      expect.stringContaining('channels.sales.glossary must be the name of a folder in knowledge/'),
      expect.stringContaining(
        'channels.sales.mayAsk.0 must be the id of a person (U...) or of a user group (S...)',
      ),
      expect.stringContaining(
        'directMessages.database is "none", which is not under databases. Configured databases: shop.',
      ),
    ])
  })
})
