import type { WebClient } from '@slack/web-api'
import { expect, it } from 'vitest'
import type { Audience } from '../../../src/domain/access/access.ts'
import type { LocatedQuestion, OutboundMessageLog } from '../../../src/domain/message.ts'
import { silentLog } from '../../../src/domain/operations/telemetry.ts'
import { makePlaceOutcome } from '../../../src/slack/delivery/place-answer.ts'
import { makeRefusedBlocks } from '../../../src/slack/delivery/refused-blocks.ts'

/** Nobody to send it to: the person who asked was forgotten. */
const placed = {
  question: { id: 'q1', text: 'orders', askedBy: null },
  location: { team: 'T1', channel: 'C1', thread: '1', message: '1' },
} as unknown as LocatedQuestion
const answer = { text: 'rows', blocks: [] }

const setUp = () => {
  const posted = new Map<string, string>([['reply', '2']])
  const shown: string[] = []
  const deleted: string[] = []
  const state = { audience: { kind: 'everyone' } as Audience }
  const at = (step: string) => ({ channel: 'C1', ts: posted.get(step) ?? null, claimedAt: new Date(0) })
  const outbound = {
    claim: async ({ step }: { step: string }) => !posted.has(step),
    markPosted: async (_: string, step: string, ts: string) => posted.size < posted.set(step, ts).size,
    find: async (_: string, step: string) => (posted.has(step) ? at(step) : null),
    remove: async (_: string, step: string) => void posted.delete(step),
    list: async (_: string, prefix: string) =>
      [...posted]
        .filter(([step]) => step.startsWith(prefix))
        .map(([step, ts]) => ({ step, channel: 'C1', ts })),
  } as unknown as OutboundMessageLog
  const client = {
    files: { delete: async ({ file }: { file: string }) => void deleted.push(file) },
  } as unknown as WebClient
  const place = makePlaceOutcome({
    ...{ client, poster: client, outbound, log: silentLog },
    update: async (_, { text }) => void shown.push(text),
    audience: async () => state.audience,
    refused: makeRefusedBlocks(() => new Date(0)),
    now: () => new Date(0),
  })
  const show = () => place.show(placed, answer, { canPost: true, inThread: async () => '2' })
  return { place, posted, shown, deleted, show }
}

it('takes an answer out once, with its files, and again after it was shown again', async () => {
  const { place, posted, shown, deleted, show } = setUp()
  posted.set('file-F1', 'F1')
  await place.withhold(placed, null)
  await place.withhold(placed, null)
  expect(shown).toHaveLength(1)
  expect(shown[0]).not.toBe('rows')
  expect(deleted).toEqual(['F1'])
  await show()
  expect(shown.at(-1)).toBe('rows')
  await place.withhold(placed, null)
  expect(shown).toHaveLength(3)
  expect(shown.at(-1)).toBe(shown[0])
})
