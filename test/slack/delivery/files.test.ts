import type { WebClient } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import { SqlError } from '../../../src/domain/errors.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import { makeExportToThread } from '../../../src/slack/delivery/files.ts'

/** An export whose rows cannot be read, and the notices to the person who asked for it. */
const setUp = (error: Error) => {
  const notices: string[] = []
  const client = {
    chat: {
      postEphemeral: async ({ user, text }: { user: string; text: string }) =>
        void notices.push(`${user}: ${text}`),
    },
  } as unknown as WebClient
  const run = makeExportToThread({
    exportRows: () => Promise.reject(error),
    feedback: async () => {
      throw new Error('nothing was exported')
    },
    client,
    findPlaced: async () => null,
    audience: async () => ({ kind: 'everyone' }),
    outbound: {
      claim: async () => {
        throw new Error('nothing was uploaded')
      },
      markPosted: async () => false,
    },
    now: () => new Date(),
    log: silentLog,
  })
  return {
    notices,
    run: (lastAttempt = false) =>
      run(
        { questionId: 'q1', person: 'U2', channel: 'C1', thread: '1.1' },
        { signal: new AbortController().signal, attempt: lastAttempt ? 3 : 1, lastAttempt },
      ),
  }
}

describe('an export that cannot be read', () => {
  it.each(['over-budget', 'timeout', 'unknown-column'] as const)(
    'is not retried if that would not help, and the person learns why: %s',
    async errorClass => {
      const { run, notices } = setUp(new SqlError(errorClass, 'The limit is reached: <5> rows.'))
      await run()
      expect(notices).toEqual(['U2: I could not make the file. The limit is reached: &lt;5&gt; rows.'])
    },
  )

  it.each([
    new SqlError('connection', 'It is away.'),
    new SqlError('cancelled', 'Stopped.'),
    new Error('broken'),
  ])('is retried if that may help, and the last attempt suggests to try again: %s', async error => {
    const { run, notices } = setUp(error)
    await expect(run()).rejects.toBe(error)
    expect(notices).toEqual([])
    await expect(run(true)).rejects.toBe(error)
    expect(notices).toEqual(['U2: I could not make the file. Try again in a moment.'])
  })
})
