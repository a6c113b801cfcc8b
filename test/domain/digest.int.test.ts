import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Simulator } from '../../simulator/simulator.ts'
import { formatCsv } from '../../src/answering/export-csv.ts'
import { findChartShape } from '../../src/charts/choose-chart.ts'
import { drawChart } from '../../src/charts/draw-chart.ts'
import type { Digest, DigestPost } from '../../src/domain/digests/digest.ts'
import { silentLog } from '../../src/domain/operations/telemetry.ts'
import { makeSlackClient } from '../../src/slack/delivery/client.ts'
import { makeDigestDelivery } from '../../src/slack/delivery/digest-delivery.ts'
import { makeUpdateMessage } from '../../src/slack/delivery/post-message.ts'
import { makeRefusedBlocks } from '../../src/slack/delivery/refused-blocks.ts'
import { startTestSimulator } from '../simulator/start-test-simulator.ts'
import { digestOf, partOf } from '../slack/listeners/digest-of.ts'
import { openTestStore } from '../store/setup/open-test-store.ts'

/** Digests against the simulated Slack, with the log of what was posted in a real store. */

const scheduledFor = new Date('2026-11-16T08:00:00.123Z')

let opened: Awaited<ReturnType<typeof openTestStore>>

let simulator: Simulator & AsyncDisposable

beforeAll(async () => {
  opened = await openTestStore()
  simulator = await startTestSimulator({ timing: { fileProcessing: 100 } })
})

afterAll(async () => {
  await simulator?.[Symbol.asyncDispose]()
  await opened?.[Symbol.asyncDispose]()
})

afterEach(() => simulator.setFaults([]))

const idOf = (handle: string) => simulator.people.find(person => person.handle === handle)?.id ?? ''

const sales = () => simulator.channels.find(({ name }) => name === 'sales')?.id ?? ''

/** A run of a digest that the store knows; its title is found again in what is posted. */
const runOf = async (
  given: Partial<Digest> = {},
  post: Partial<DigestPost> = {},
): Promise<DigestPost & { readonly title: string }> => {
  const id = crypto.randomUUID()
  const digest = digestOf({
    id,
    title: `Digest ${id}`,
    owner: idOf('ada'),
    target: { kind: 'channel', channel: sales() },
    ...given,
  })
  expect(await opened.store.repositories.digests.insert(digest, id)).toBe(true)
  const { title } = digest
  return { digestId: id, scheduledFor, digest, kind: 'due', missed: 1, parts: [partOf()], title, ...post }
}

const about = ({ title }: { readonly title: string }) =>
  simulator.messages().filter(({ blocks, deleted }) => !deleted && JSON.stringify(blocks).includes(title))

/** The port as the bot makes it, with the warnings that it gives. */
const delivering = () => {
  const slack = { token: simulator.botToken, apiUrl: simulator.apiUrl, retries: 0 }
  const warnings: unknown[] = []
  const log = { ...silentLog, warn: (...said: unknown[]) => void warnings.push(said) }
  const client = makeSlackClient(slack)
  const delivery = makeDigestDelivery({
    client,
    poster: makeSlackClient({ ...slack, failWhenLimited: true }),
    refused: makeRefusedBlocks(() => new Date()),
    messages: opened.store.repositories.digestMessages,
    update: makeUpdateMessage({ client, refused: makeRefusedBlocks(() => new Date()), log }),
    findShape: findChartShape,
    drawChart,
    writeCsv: formatCsv,
    now: () => scheduledFor,
    log,
  })
  return { delivery, warnings }
}

describe('a run of a digest', () => {
  it('is posted once, and updated when it is posted again', async () => {
    const run = await runOf()
    const { delivery } = delivering()
    const [first, second] = [
      await delivery.post(run),
      await delivery.post({ ...run, parts: [partOf({ headline: '1,205 orders' })] }),
    ]
    const [message, another] = about(run)
    expect(another).toBeUndefined()
    expect(first).toEqual({ status: 'posted', channel: sales(), ts: message?.ts })
    expect(second).toEqual(first)
    expect(JSON.stringify(message?.blocks)).toContain('1,205 orders')
    await delivery.post({ ...run, scheduledFor: new Date(scheduledFor.getTime() + 1) })
    expect(about(run)).toHaveLength(2)
  })

  it("is found and not sent again if only Slack's reply was lost", async () => {
    const run = await runOf()
    const { delivery, warnings } = delivering()
    simulator.setFaults([{ method: 'chat.postMessage', times: 1, kind: 'drop-response' }])
    await expect(delivery.post(run)).rejects.toThrow()
    expect(await delivery.post(run)).toMatchObject({ status: 'posted', ts: about(run)[0]?.ts })
    expect(about(run)).toHaveLength(1)
    expect(warnings).toEqual([])
  })

  it('is posted again, with a log line, if Slack cannot be searched', async () => {
    const run = await runOf()
    const { delivery, warnings } = delivering()
    simulator.setFaults([
      { method: 'chat.postMessage', times: 1, kind: 'drop-response' },
      { method: 'conversations.history', times: 1, kind: 'error', error: 'missing_scope' },
    ])
    await expect(delivery.post(run)).rejects.toThrow()
    expect(await delivery.post(run)).toMatchObject({ status: 'posted' })
    expect(about(run)).toHaveLength(2)
    expect(JSON.stringify(warnings)).toContain('unknown whether')
  })

  it('rejects if Slack is down or rate-limits it, and is posted later', async () => {
    const run = await runOf()
    const { delivery } = delivering()
    for (const fault of [
      { kind: 'server-error' },
      { kind: 'rate-limited', retryAfterSeconds: 60 },
    ] as const) {
      simulator.setFaults([{ method: 'chat.postMessage', times: 1, ...fault }])
      await expect(delivery.post(run)).rejects.toThrow()
    }
    expect(await delivery.post(run)).toMatchObject({ status: 'posted' })
    expect(about(run)).toHaveLength(1)
  })

  it('goes to a person in direct messages', async () => {
    const run = await runOf({ target: { kind: 'person', person: idOf('jonas') } })
    await delivering().delivery.post(run)
    const channel = about(run)[0]?.channel
    expect(simulator.channels.find(({ id }) => id === channel)?.person).toBe(idOf('jonas'))
  })

  it.each(['channel_not_found', 'not_in_channel', 'is_archived'])(
    'reports that it is unreachable if %s',
    async error => {
      const run = await runOf()
      simulator.setFaults([{ method: 'chat.postMessage', times: 1, kind: 'error', error }])
      expect(await delivering().delivery.post(run)).toEqual({
        status: 'unreachable',
        reason: expect.stringContaining('channel'),
      })
    },
  )

  it('reports that it is unreachable if the person left', async () => {
    const run = await runOf({ target: { kind: 'person', person: 'U0GONE0001' } })
    expect(await delivering().delivery.post(run)).toMatchObject({ status: 'unreachable' })
  })

  it('falls back to simpler blocks if Slack refuses them, and is never dropped', async () => {
    const run = await runOf({}, { parts: [partOf({ table: byMonth, headline: 'orders by month' })] })
    simulator.setFaults([
      { method: 'chat.postMessage', times: 2, kind: 'error', error: 'invalid_blocks' },
      // The picture would bring the native form back.
      { method: 'files.getUploadURLExternal', times: 1, kind: 'error', error: 'internal_error' },
    ])
    const { delivery } = delivering()
    await delivery.post(run)
    const [message] = about(run)
    expect(message?.blocks.some(({ type }) => type.endsWith('table'))).toBe(false)
    expect(JSON.stringify(message?.blocks)).toContain('Feb 1, 2026')
  })

  it('shows a time series as a chart in the same message', async () => {
    const run = await runOf({}, { parts: [partOf({ table: byMonth, headline: 'orders by month' })] })
    const { delivery, warnings } = delivering()
    await delivery.post(run)
    const [message, another] = about(run)
    expect(another).toBeUndefined()
    expect(message?.blocks.map(({ type }) => type)).toContain('image')
    expect(message?.blocks.map(({ type }) => type)).not.toContain('data_table')
    expect(warnings).toEqual([])
  })

  describe('whose message leaves rows out', () => {
    const many = partOf({
      headline: '150 rows',
      table: {
        columns: [
          { name: 'name', kind: 'text' },
          { name: 'note', kind: 'text' },
        ],
        rows: Array.from({ length: 150 }, (_, i) => [`Row ${i + 1}`, '=1+1']),
        truncated: null,
        milliseconds: 1,
      },
    })
    const other = (part: typeof many, n: number) => ({
      ...part,
      question: { ...part.question, id: `${n}d444840-9dc0-11d1-b245-5ffdce74fad2`, text: `<!here> ${n}` },
    })
    const filesBelow = (ts: string | undefined) =>
      simulator.messages().flatMap(said => (said.threadTs === ts ? said.files : []))
    /** Slack shows a file a moment after it has taken it. */
    const filesComing = (ts: string | undefined, count: number) =>
      simulator.until(() => {
        const files = filesBelow(ts)
        return files.length >= count && files
      }, 5_000)
    const textsBelow = (ts: string | undefined) =>
      simulator.messages().flatMap(said => (said.threadTs === ts ? [said.text] : []))

    it('uploads every row of each such question to its thread, once', async () => {
      const parts = [other(many, 1), other(many, 2), partOf()]
      const run = await runOf({ questions: parts.map(({ question }) => question) }, { parts })
      const { delivery, warnings } = delivering()
      await delivery.post(run)
      await delivery.post(run)
      const [message] = about(run)
      expect(JSON.stringify(message?.blocks)).toContain('8 of 150 rows; the rest is in a file in the thread')
      await simulator.settled()
      const files = await filesComing(message?.ts, 2)
      expect(files.map(({ name }) => name)).toEqual(['digest-2026-11-16-1.csv', 'digest-2026-11-16-2.csv'])
      const csv = await (await fetch(`${simulator.url}/files/${files[1]?.id}`)).text()
      expect(csv.trim().split('\n')).toHaveLength(151)
      expect(csv).toContain("'=1+1")
      expect(textsBelow(message?.ts).join()).toContain('&lt;!here&gt; 2: 150 rows, the whole result.')
      expect(warnings).toEqual([])
    })

    it('uploads them with simpler blocks too, and nothing if all rows are shown', async () => {
      const small = { ...many, table: { ...many.table, rows: many.table.rows.slice(0, 5) } }
      const plain = await runOf({}, { parts: [small] })
      simulator.setFaults([{ method: 'chat.postMessage', times: 2, kind: 'error', error: 'invalid_blocks' }])
      await delivering().delivery.post(plain)
      expect(await filesComing(about(plain)[0]?.ts, 1)).toHaveLength(1)
      const whole = await runOf({}, { parts: [small] })
      await delivering().delivery.post(whole)
      await simulator.settled()
      expect(filesBelow(about(whole)[0]?.ts)).toEqual([])
    })

    it('says so if the file cannot be created, and stays posted', async () => {
      const run = await runOf({}, { parts: [many] })
      simulator.setFaults([
        { method: 'files.getUploadURLExternal', times: 1, kind: 'error', error: 'missing_scope' },
      ])
      const { delivery, warnings } = delivering()
      expect(await delivery.post(run)).toMatchObject({ status: 'posted' })
      expect(textsBelow(about(run)[0]?.ts).join()).toContain('could not make')
      expect(warnings).toHaveLength(1)
    })
  })

  it('counts as posted if someone deleted it', async () => {
    const run = await runOf()
    const { delivery } = delivering()
    const posted = await delivery.post(run)
    simulator.setFaults([{ method: 'chat.update', times: 1, kind: 'error', error: 'message_not_found' }])
    expect(await delivery.post(run)).toEqual(posted)
  })
})

describe('a notice to the owner', () => {
  it('is sent once per run and kind, privately', async () => {
    const run = await runOf()
    const { delivery } = delivering()
    const failed = {
      kind: 'failed',
      reason: 'The database is away.',
      nextStep: 'Wait.',
      paused: false,
    } as const
    await delivery.notifyOwner({ ...run, notice: failed })
    await delivery.notifyOwner({ ...run, notice: failed })
    await delivery.notifyOwner({
      ...run,
      notice: { kind: 'unreachable', reason: 'Its channel is archived.' },
    })
    const told = about(run)
    expect(told).toHaveLength(2)
    for (const { channel } of told)
      expect(simulator.channels.find(({ id }) => id === channel)?.person).toBe(idOf('ada'))
  })

  it('is skipped for an owner outside of Slack, and dropped for one who left', async () => {
    const notice = { kind: 'not-allowed', reason: 'No.', nextStep: 'Ask.' } as const
    const calls = simulator.calls().length
    const { delivery, warnings } = delivering()
    await delivery.notifyOwner({ ...(await runOf({ owner: 'root' })), notice })
    expect(simulator.calls()).toHaveLength(calls)
    await delivery.notifyOwner({ ...(await runOf({ owner: 'U0GONE0001' })), notice })
    expect(warnings).toHaveLength(1)
  })
})

const byMonth = {
  columns: [
    { name: 'month', kind: 'date' as const },
    { name: 'orders', kind: 'integer' as const },
  ],
  rows: Array.from({ length: 8 }, (_, i) => [`2026-0${i + 1}-01`, 100 + i * i]),
  truncated: null,
  milliseconds: 1,
}
