import { describe, expect, it } from 'vitest'
import { makeRedact, redact, redactError, rememberSecret, secretsIn } from '../../src/lib/redact.ts'

describe('redact', () => {
  it.each([
    ['a token', 'Zq7-plain-token-91', 'refused Zq7-plain-token-91 today'],
    ['a token with quotes, in JSON', 'Zq7"quoted"token', JSON.stringify({ x: 'Zq7"quoted"token' })],
    [
      'the same in JSON in JSON',
      'Zq8"quoted"token',
      JSON.stringify(JSON.stringify({ x: 'Zq8"quoted"token' })),
    ],
    ['a token in a URL', 'Zq7/&?token', `https://x/?y=${encodeURIComponent('Zq7/&?token')}`],
    [
      'the password of a URL, decoded',
      'postgres://reader:Zq7%2Fpass%40@db/shop',
      'password Zq7/pass@ is wrong',
    ],
    ['the password of a URL, as written', 'redis://:Zq9%2fpass@cache', 'AUTH Zq9%2fpass'],
    ['a header of several', 'x-team=Zq7teamkey1,authorization=Bearer%20Zq7headerkey', 'sent Zq7headerkey'],
    ['a named key', 'k1:Zq7namedkey00', 'key Zq7namedkey00'],
  ])('takes out %s that it knows', (_, secret, text) => {
    rememberSecret(secret)
    expect(redact(text)).not.toMatch(/Zq\d/)
    expect(redact(text)).toContain('[redacted]')
  })

  it('does not take ordinary words for secrets', () => {
    for (const word of ['postgres', 'Revenue', '20261126', 'short1']) rememberSecret(word)
    rememberSecret('postgres://querent-1:querent-1@db/shop')
    rememberSecret('mysql://reader:shop-2026@db/shop-2026')
    const text = 'postgres: Revenue of 20261126, short1, by querent-1 in shop-2026'
    expect(redact(text)).toBe(text)
  })

  it.each([
    'postgres://reader:hunter2@db:5432/shop',
    'host=db password=hunter2 user=x',
    'https://x.test/v1?api_key=hunter2&page=1',
    'used xoxb-hunter2-123456',
    'used xoxe.xoxp-hunter2-123456',
    'used xapp-1-hunter2-123456',
    'Incorrect API key provided: sk-proj-hunter2abc',
    'key AIzaSyhunter2hunter2hunter2hunter2',
    'Authorization: Bearer hunter2hunter2',
    'Basic hunter2hunter2==',
    'posting to https://hooks.slack.com/commands/T1/42/hunter2 failed',
    'GET / HTTP/1.1\nCookie: session=hunter2; other=hunter2\nHost: x',
    JSON.stringify({ clientSecret: 'hunter2' }),
    JSON.stringify({ body: JSON.stringify({ password: 'a"hunter2', x: 1 }) }),
  ])('takes out what has the shape of a secret: %s', text => {
    expect(redact(text)).not.toContain('hunter2')
  })

  it('leaves ordinary texts and our own examples alone', () => {
    for (const text of [
      'http://host:8080/path@2',
      'set DATABASE_URL=postgres://querent:PASSWORD@127.0.0.1:5432/querent',
      'WWW-Authenticate: Bearer realm="querent"',
      'the basics of a task-list, for bearers of news',
      'Ask basic questions about bearer instruments, by pk-columns',
      "select token from sessions where kind = 'x'",
    ])
      expect(redact(text)).toBe(text)
  })

  it('also takes out values that are given, if they are not too short', () => {
    expect(makeRedact(['swordfish', 'abc'])('swordfish and abc')).toBe('[redacted] and abc')
    expect(redact('swordfish')).toBe('swordfish')
  })
})

describe('redactError', () => {
  it('keeps name, code, message and stack, and nothing else', () => {
    const error = Object.assign(new TypeError('bad xoxb-hunter2-123456', { cause: new Error('hunter2') }), {
      code: 'E1',
      config: { headers: { Authorization: 'hunter2' } },
    })
    const safe = redactError(error)
    expect(safe).toMatchObject({ name: 'TypeError', code: 'E1', message: 'bad xoxb-[redacted]' })
    expect(safe.stack).toContain('redact.test')
    expect(JSON.stringify({ ...safe, stack: safe.stack, cause: safe.cause })).not.toContain('hunter2')
    expect(redactError('plain').message).toBe('plain')
    expect(redactError(null).message).toBe('null')
  })
})

describe('the secrets in a setting', () => {
  it('are the password of a URL, and each value of a list', () => {
    expect(secretsIn('postgres://u:p%40ss@h/d')).toEqual(['p%40ss', 'p@ss'])
    expect(secretsIn('postgres://h/d')).toEqual([])
    expect(secretsIn('a:one,b:two')).toEqual(['a:one,b:two', 'one', 'one', 'two', 'two'])
    expect(secretsIn('')).toEqual([])
  })
})
