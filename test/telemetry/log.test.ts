import { describe, expect, it } from 'vitest'
import { QuerentError, SqlError } from '../../src/domain/errors.ts'
import { CallFailure } from '../../src/llm/call-failure.ts'
import { type LogLevel, makeLog } from '../../src/telemetry/log.ts'

const makeKept = (level: LogLevel, secrets: readonly string[] = []) => {
  const lines: string[] = []
  const log = makeLog({ level, secrets, destination: { write: line => void lines.push(line) } })
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? 'null') as Record<string, unknown> }
}

const callFailure = (said: string) =>
  new CallFailure(said, { kind: 'rejected', status: 400, code: null, param: null, retryAfterMs: null })

const errorOf = (work: () => unknown): unknown => {
  try {
    return work()
  } catch (error) {
    return error
  }
}

describe('makeLog', () => {
  it('writes one JSON object a line with level, time, fields and message', () => {
    const kept = makeKept('info')
    kept.log.info({ questionId: 'q1', rows: 3 }, 'answered')
    expect(kept.lines).toHaveLength(1)
    expect(kept.last()).toMatchObject({ level: 'info', questionId: 'q1', rows: 3, msg: 'answered' })
    expect(String(kept.last().time)).toMatch(/^\d{4}-\d\d-\d\dT/)
  })

  it('keeps quiet below its level, and always when silent', () => {
    const kept = makeKept('warn')
    kept.log.debug({}, 'a')
    kept.log.info({}, 'b')
    kept.log.warn({}, 'c')
    kept.log.error({}, 'd')
    expect(kept.lines.map(line => (JSON.parse(line) as { msg: string }).msg)).toEqual(['c', 'd'])
    const silent = makeKept('silent')
    silent.log.error({}, 'e')
    expect(silent.lines).toEqual([])
  })

  it('spells out an error under any name, with its code and cause', () => {
    const kept = makeKept('info')
    const error = new QuerentError('model-failed', 'no answer', { cause: new Error('connection reset') })
    kept.log.error({ error }, 'failed')
    expect(kept.last().error).toMatchObject({
      code: 'model-failed',
      message: 'no answer',
      cause: { message: 'connection reset' },
    })
  })

  it.each([
    [new SqlError('other', "bad JSON path: 'okapi'", { driverCode: '1', cause: new Error('okapi') })],
    [new SqlError('syntax', 'near okapi')],
    [new QuerentError('model-failed', 'm refused: okapi', { cause: new Error('no reply') })],
    [new QuerentError('model-failed', 'the endpoint rejected it: okapi', { cause: callFailure('okapi') })],
    [callFailure('okapi')],
    [
      Object.assign(new Error('invalid input syntax for type uuid: "okapi"'), {
        code: '22P02',
        detail: 'okapi',
      }),
    ],
    [
      Object.assign(new Error('duplicate key'), {
        code: '23505',
        detail: 'Key (name)=(okapi) already exists.',
      }),
    ],
    [new Error('stored', { cause: Object.assign(new Error('x'), { row: { name: 'okapi' } }) })],
    [Object.assign(new Error('refused by Slack'), { data: { blocks: ['okapi'] } })],
    [new AggregateError([new SqlError('other', 'okapi'), 'okapi'], 'two failed')],
    [errorOf(() => JSON.parse('okapi is no JSON'))],
  ])('quotes no statement, prompt or row of an error: %s', error => {
    const kept = makeKept('debug')
    kept.log.debug({ error }, 'failed')
    expect(kept.lines.join('')).not.toContain('okapi')
    const logged = kept.last().error as { readonly message: string; readonly stack: string }
    expect(logged.message).not.toBe('')
    expect(logged.stack).toContain('log.test.ts')
  })

  it('says of a failed statement and of a failed call what an operator needs', () => {
    const kept = makeKept('debug')
    kept.log.warn({ error: new SqlError('syntax', 'near okapi', { driverCode: '42601' }) }, 'failed')
    expect(kept.last().error).toMatchObject({ message: 'a statement failed: syntax (42601)' })
    kept.log.warn({ error: new SqlError('connection', 'connect ECONNREFUSED 127.0.0.1:1') }, 'failed')
    expect(kept.last().error).toMatchObject({ message: 'connect ECONNREFUSED 127.0.0.1:1' })
    const cause = callFailure('okapi')
    kept.log.warn(
      { error: new QuerentError('model-failed', 'h rejected it (HTTP 400): okapi', { cause }) },
      'failed',
    )
    expect(kept.last().error).toMatchObject({
      message: 'h rejected it (HTTP 400)',
      cause: { message: 'rejected (HTTP 400)' },
    })
  })

  it('masks given secrets in fields, messages, errors and URLs', () => {
    const kept = makeKept('info', ['s3cr"et/value'])
    kept.log.info({ deep: { list: ['a s3cr"et/value b'] } }, 'said s3cr"et/value')
    kept.log.error({ error: new Error('postgres://u:s3cr%22et%2Fvalue@h/d refused') }, 'x')
    expect(kept.lines.join('')).not.toMatch(/s3cr/)
    expect(kept.lines.join('')).toContain('[redacted]')
  })

  it.each([
    ['a URL', { url: 'postgres://reader:hunter2@db:5432/shop' }],
    ['a URL with an odd password', { url: 'postgres://reader:hunter2@x:y@db:5432/shop' }],
    ['a field by name', { options: { apiKey: 'hunter2', x: 1 } }],
    ['a field with quotes in it', { password: 'a"hunter2', x: 1 }],
    ['JSON in a string, with quotes in it', { body: JSON.stringify({ apiKey: 'a"hunter2', x: 1 }) }],
    ['JSON in a string', { body: JSON.stringify({ password: 'hunter2', x: 1 }) }],
    ['a connection string', { text: 'host=db password=hunter2 user=x' }],
    ['a Slack token', { text: 'used xoxb-hunter2-123456' }],
    ['a bearer header', { text: 'Authorization: Bearer hunter2hunter2' }],
  ])('masks %s it was not given', (_, fields) => {
    const kept = makeKept('info')
    kept.log.info(fields, 'm')
    expect(kept.lines[0]).not.toContain('hunter2')
    expect(kept.last().msg).toBe('m')
  })

  it('leaves ordinary text alone', () => {
    const kept = makeKept('info', ['abc'])
    kept.log.info({ url: 'http://host:8080/path@2', note: 'abcdef', promptTokens: 12 }, 'token counts: 3')
    expect(kept.last()).toMatchObject({
      url: 'http://host:8080/path@2',
      note: 'abcdef',
      promptTokens: 12,
      msg: 'token counts: 3',
    })
  })
})
