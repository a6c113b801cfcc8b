import { describe, expect, it } from 'vitest'
import { fingerprintSettings } from '../../src/config/answer-fingerprint.ts'
import { loadConfig } from '../../src/config/load-config.ts'
import { makeFolder } from './make-folder.ts'

const databases = 'databases:\n  shop: { url: "postgres://ann:one@db.example/shop" }\n'

const models =
  'models:\n  drafter: { model: writer, temperature: 0.4, fallbacks: [spare, other] }\n  judge: { model: reader }\n'

const yaml = `${databases}${models}`

const env = { OPENAI_API_KEY: 'key', OPENAI_BASE_URL: 'http://models.example/v1' }

const fingerprintOf = (text: string, given: Readonly<Record<string, string>> = env): string =>
  fingerprintSettings(loadConfig({ cwd: makeFolder({ 'querent.yml': text }), env: given }))

/** What the others are held against. */
const base = (): string => fingerprintOf(yaml)

describe('the fingerprint of what answers', () => {
  it.each([
    ['another model drafts', yaml.replace('writer', 'poet')],
    ['another model judges', yaml.replace('reader', 'critic')],
    ['a model is called more freely', yaml.replace('0.4', '0.7')],
    ['another model stands in first', yaml.replace('spare, other', 'other, spare')],
    ['no model is called', databases],
    ['less certain answers are given', `${yaml}answer: { minimumConfidence: 0.31 }`],
    ['it is asked back less', `${yaml}answer: { costOfAsking: 0.31 }`],
    ['more is drafted', `${yaml}drafting: { mode: full }`],
    ['fewer rows are shown', `${yaml}limits: { maxRows: 7 }`],
    ['prompts hold less of the schema', `${yaml}linking: { tokenBudget: 2500 }`],
    ['a database is another one', yaml.replace('db.example', 'copy.example')],
    ['a database is read as somebody else', yaml.replace('ann:', 'bob:')],
  ])('changes where %s', (_, other) => {
    expect(fingerprintOf(other)).not.toBe(base())
  })

  it.each(['prices', 'breaker', 'timeoutMs', 'apiKey', 'cacheMinutes'])(
    'changes where a database of the name %s is another one',
    name => {
      const named = yaml.replace('shop:', `${name}:`)
      expect(fingerprintOf(named.replace('db.example', 'copy.example'))).not.toBe(fingerprintOf(named))
    },
  )

  it('changes where models are somewhere else', () => {
    expect(fingerprintOf(yaml, { ...env, OPENAI_BASE_URL: 'http://elsewhere.example/v1' })).not.toBe(base())
  })

  it.each([
    ['nothing does', yaml],
    ['parts are in another order', `${models}${databases}`],
    ['a model is waited for longer', yaml.replace('temperature', 'timeoutMs: 50000, temperature')],
    ['a statement may run for longer', `${yaml}limits: { timeoutMs: 7000 }`],
    ['answers are shown again for longer', `${yaml}answer: { cacheMinutes: 60 }`],
    ['more may be asked', `${yaml}rateLimits: { personPerMinute: 30 }`],
    ['an index is refreshed more often', `${yaml}index: { maxAgeHours: 3 }`],
    ['answers are kept for less long', `${yaml}retention: { resultDays: 3 }`],
    ['there are more admins', `${yaml}slack: { admins: [U0123456] }`],
    ['a password is exchanged', yaml.replace(':one@', ':two@')],
  ])('stays where %s', (_, other) => {
    expect(fingerprintOf(other)).toBe(base())
  })

  it('stays where one of several drafters is waited for longer', () => {
    const several = (timeoutMs: number): string =>
      yaml.replace('judge:', `drafters: [{ model: one, timeoutMs: ${timeoutMs} }, { model: two }]\n  judge:`)
    expect(fingerprintOf(several(50_000))).toBe(fingerprintOf(several(40_000)))
    expect(fingerprintOf(several(50_000))).not.toBe(base())
  })

  it('stays where a key is exchanged, and on another machine', () => {
    const other = {
      ...env,
      OPENAI_API_KEY: 'another',
      QUERENT_HOME: '/elsewhere',
      QUERENT_LOG_LEVEL: 'debug',
    }
    expect(fingerprintOf(yaml, other)).toBe(base())
  })
})
