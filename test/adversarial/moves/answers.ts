import type { RecordedMessage } from '../../../simulator/shapes/message.ts'
import { activeMrkdwn } from '../active.ts'
import type { Arena } from '../arena.ts'
import { everythingIn, formulasIn } from '../judge.ts'

/** What came out of the bot because of one attack. */
export interface Produced {
  readonly payloads: readonly unknown[]
  /** What the person of the attack sees. */
  readonly texts: readonly string[]
  /** What everyone in a channel sees. */
  readonly inChannel?: readonly string[]
  readonly achieved?: readonly string[]
  readonly faults?: readonly string[]
}

/** What messages of the bot say, and every earlier version of them. */
export const said = (messages: readonly RecordedMessage[]): Produced => ({
  payloads: messages.flatMap(({ blocks, history, stream }) => [
    blocks,
    ...history.map(one => one.blocks),
    stream,
  ]),
  texts: messages.map(everythingIn),
  achieved: messages.flatMap(({ text, history }) =>
    [text, ...history.map(one => one.text)].flatMap(one => activeMrkdwn(one, true)),
  ),
})

/** Waits until a question has its end and everything about it has been said. */
export const ended = async (arena: Arena, message: RecordedMessage): Promise<void> => {
  await arena.watcher.until(
    `select from querent.questions q where q.place ->> 'message' = $1
       and q.status in ('answered', 'refused', 'failed', 'stopped', 'waiting')
       and not exists (select from querent_jobs.job j
         where j.data ->> 'questionId' = q.id::text and j.state in ('created', 'retry', 'active')
           and j.start_after < now())`,
    [message.ts],
    // An answer takes seconds; four attacks at once on a busy machine take longer, and nothing here is about speed.
    120_000,
  )
}

/** Answers that people edit, and one that not everybody may see. */
export interface Bases {
  readonly edits: readonly EditBase[]
  /** A question id in a channel where guests may not ask. */
  readonly privateAnswer: { readonly id: string; readonly message: RecordedMessage }
}

export interface EditBase {
  readonly by: string
  readonly question: RecordedMessage
  /** Edits of one person come one after the other. */
  turn: Promise<unknown>
}

const editors = ['ada', 'jonas', 'mira'] as const

/** In the rows and in the SQL of the answer that not everybody may see. */
export const ownMarker = 'zqprivate'

export const openBases = async (arena: Arena): Promise<Bases> => {
  const edits = await Promise.all(
    editors.map(async by => {
      const question = await arena.simulator.post({
        by,
        in: '#sales',
        text: '@querent how many orders are there by status?',
      })
      await ended(arena, question)
      return { by, question, turn: Promise.resolve() }
    }),
  )
  const message = await arena.simulator.post({
    by: 'ada',
    in: '#general',
    text: '@querent how many customers are there by country?',
  })
  await ended(arena, message)
  await edit(
    arena,
    { by: 'ada', question: message },
    `select '${ownMarker}' as a, count(*) as n from orders group by status`,
    false,
  )
  const [row] = await arena.watcher.rows("select id from querent.questions where place ->> 'message' = $1", [
    message.ts,
  ])
  await arena.simulator.until(() =>
    repliesTo(arena, message).some(reply => everythingIn(reply).includes(ownMarker)),
  )
  const answer = repliesTo(arena, message)[0]
  if (row === undefined || answer === undefined) throw new Error('the first questions were not answered')
  return { edits, privateAnswer: { id: String(row.id), message: answer } }
}

export const repliesTo = (
  { simulator }: Arena,
  { channel, threadTs, ts }: RecordedMessage,
): readonly RecordedMessage[] => simulator.thread(channel, threadTs ?? ts).filter(({ byBot }) => byBot)

export const edit = async (
  arena: Arena,
  { by, question }: Pick<EditBase, 'by' | 'question'>,
  sql: string,
  exported: boolean,
): Promise<Produced> => {
  const { simulator, watcher } = arena
  const answer = repliesTo(arena, question)[0]
  if (answer === undefined) throw new Error('there is no answer to edit')
  const versions = answer.history.length
  await simulator.click({ by, on: answer, label: 'Edit & rerun' })
  const opened = await simulator.until(() => simulator.modal(by), 30_000)
  const fields = Object.fromEntries(
    opened.view.blocks
      .filter(({ type }) => type === 'input')
      .map(({ block_id }, i) => [String(block_id), i === 0 ? sql : '']),
  )
  const { outcome } = await simulator.submitModal(by, fields)
  if (outcome === 'updated')
    await watcher.until(
      "select 1 where not exists (select from querent_jobs.job where name = 'revise' and state in ('created', 'retry', 'active'))",
      [],
      30_000,
    )
  const shown = simulator.modal(by)?.view ?? null
  while (simulator.modal(by) !== null) await simulator.closeModal(by)
  const now = repliesTo(arena, question)[0]
  // What the message was before is another attack's.
  const produced = said(now === undefined ? [] : [{ ...now, history: now.history.slice(versions) }])
  const withModal: Produced = {
    ...produced,
    payloads: [...produced.payloads, shown],
    texts: [...produced.texts, JSON.stringify(shown)],
  }
  if (!exported) return withModal
  if (outcome !== 'closed') return { ...withModal, faults: [`the edit was not taken: ${outcome}`] }
  const files = await exportOf(arena, by, question)
  return {
    ...withModal,
    texts: [...withModal.texts, ...files],
    achieved: [
      ...(withModal.achieved ?? []),
      ...files.flatMap(formulasIn).map(cell => `a formula: ${JSON.stringify(cell)}`),
    ],
    faults: files.length === 0 ? ['nothing was exported'] : [],
  }
}

/** The contents of the file that comes of a click on `Export CSV`. */
export const exportOf = async (
  arena: Arena,
  by: string,
  question: RecordedMessage,
): Promise<readonly string[]> => {
  const { simulator } = arena
  const filesOf = () => repliesTo(arena, question).flatMap(({ files }) => files)
  const known = filesOf().length
  const answer = repliesTo(arena, question)[0]
  if (answer === undefined) return []
  await simulator.click({ by, on: answer, label: 'Export CSV' })
  const file = await simulator.until(() => filesOf()[known], 20_000).catch(() => null)
  if (file === null) return []
  const response = await simulator.until(() => fetch(`${simulator.url}/files/${file.id}`), 10_000)
  return [await response.text()]
}
