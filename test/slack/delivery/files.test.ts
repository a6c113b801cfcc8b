import type { WebClient } from '@slack/web-api'
import { describe, expect, it } from 'vitest'
import { SqlError } from '../../../src/domain/errors.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import { makeExportToThread } from '../../../src/slack/delivery/files.ts'

/** An export whose rows cannot be read, by its first attempt of several; what its person is told. */
const exporting = (error: Error) => {
  const told: string[] = []
  const client = {
    chat: {
      postEphemeral: async ({ user, text }: { user: string; text: string }) =>
        void told.push(`${user}: ${text}`),
    },
  } as unknown as WebClient
  const run = makeExportToThread({
    exportRows: () => Promise.reject(error),
    feedback: async () => {
      throw new Error('nothing was exported')
    },
    client,
    log: silentLog,
  })
  return {
    told,
    run: (lastAttempt = false) =>
      run(
        { questionId: 'q1', person: 'U2', channel: 'C1', thread: '1.1' },
        { signal: new AbortController().signal, attempt: lastAttempt ? 3 : 1, lastAttempt },
      ),
  }
}

describe('an export that cannot be read', () => {
  it.each(['over-budget', 'timeout', 'unknown-column'] as const)(
    'is not tried again where that would not help, and says why: %s',
    async errorClass => {
      const { run, told } = exporting(new SqlError(errorClass, 'The limit is reached: <5> rows.'))
      await run()
      expect(told).toEqual(['U2: The file could not be made. The limit is reached: &lt;5&gt; rows.'])
    },
  )

  it.each([
    new SqlError('connection', 'It is away.'),
    new SqlError('cancelled', 'Stopped.'),
    new Error('broken'),
  ])('is tried again where that may help, and says so little at the end: %s', async error => {
    const { run, told } = exporting(error)
    await expect(run()).rejects.toBe(error)
    expect(told).toEqual([])
    await expect(run(true)).rejects.toBe(error)
    expect(told).toEqual(['U2: The file could not be made. Try again in a moment.'])
  })
})
