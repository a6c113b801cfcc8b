import { describe, expect, it } from 'vitest'
import { withJobSpans } from '../../src/bootstrap/jobs.ts'
import { QuerentError } from '../../src/domain/errors.ts'
import type { Jobs } from '../../src/jobs/jobs.ts'
import type { JobHandler, Work } from '../../src/jobs/workers.ts'
import { makeLog, makeLogContext } from '../../src/telemetry/log.ts'
import { nextTurn } from '../helpers/wait.ts'

const open = () => {
  const lines: string[] = []
  const { inLogContext, current } = makeLogContext()
  const log = makeLog({
    ...{ level: 'info', context: current },
    destination: { write: line => void lines.push(line) },
  })
  return { log, inLogContext, lines, parsed: () => lines.map(line => JSON.parse(line)) }
}

describe('lines of the log', () => {
  it('carry what the work around them is about, and no other work’s', async () => {
    const { log, inLogContext, parsed } = open()
    const work = (questionId: string) =>
      inLogContext({ questionId }, async () => {
        await nextTurn()
        log.info({ rows: 1 }, 'inside')
        await inLogContext({ attempt: 2 }, async () => log.warn({ questionId: 'its own' }, 'deeper'))
      })
    await Promise.all([work('q1'), work('q2')])
    log.info({}, 'outside')
    expect(parsed()).toMatchObject([
      { msg: 'inside', questionId: 'q1', rows: 1 },
      { msg: 'deeper', questionId: 'its own', attempt: 2 },
      { msg: 'inside', questionId: 'q2' },
      { msg: 'deeper', questionId: 'its own', attempt: 2 },
      { msg: 'outside' },
    ])
    expect(parsed().at(-1)).not.toHaveProperty('questionId')
  })

  it('of a job name its question, and the job is a span', async () => {
    const { log, inLogContext, parsed } = open()
    const spans: unknown[] = []
    const handlers: JobHandler<'question'>[] = []
    const work = (async (_queue: string, handler: JobHandler<'question'>) =>
      void handlers.push(handler)) as Work
    const jobs = withJobSpans({ work } as Jobs, {
      inLogContext,
      inSpan: (name, facts, inside) => {
        spans.push([name, facts])
        return inside({ set: () => {} })
      },
    })
    const questionId = '00000000-0000-4000-8000-000000000001'
    await jobs.work('question', async () => log.info({}, 'at work'), { concurrency: 1 })
    await handlers[0]?.(
      { questionId },
      { signal: new AbortController().signal, attempt: 3, lastAttempt: false },
    )
    expect(parsed()).toMatchObject([{ msg: 'at work', queue: 'question', questionId }])
    expect(spans).toEqual([['job question', { attempt: 3, questionId }]])
  })

  it('contain no secret, wherever it is in an error', () => {
    const { log, lines } = open()
    const driver = Object.assign(
      new Error('connect postgres://querent:hunter2secret@db.internal/app failed'),
      {
        config: { headers: { authorization: 'Bearer abcdef123456' }, token: 'xoxb-1234-abcdefgh' },
      },
    )
    const model = new Error('401 from the endpoint: key sk-abc1defghij2klmnop is not known', {
      cause: driver,
    })
    log.error(
      {
        error: new QuerentError('model-failed', 'no answer', { cause: model }),
        url: 'mysql://u:p4ssw0rd!@h/d',
      },
      'SLACK_APP_TOKEN=xapp-1-A0123-456 was refused',
    )
    const line = lines.join('')
    for (const secret of [
      'hunter2secret',
      'abcdef123456',
      'xoxb-1234',
      'abc1defghij2klmnop',
      'p4ssw0rd',
      'xapp-1-A0123',
    ])
      expect(line, secret).not.toContain(secret.slice(0, 8) === 'xapp-1-A' ? 'A0123-456' : secret)
    expect(line).toContain('db.internal')
    expect(() => JSON.parse(line)).not.toThrow()
  })
})
