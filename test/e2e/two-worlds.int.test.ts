import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

/**
 * What people are shown besides rows, in two worlds that differ in nothing but a value that they may not see: it must be
 * the same in both. Jonas is an admin and sees cargo bicycles alone, as everyone but ada does.
 */

const worlds = ['tandem', 'folding'] as const

let workspace: TestWorkspace
const simulator = () => workspace.simulator
const idOf = (handle: string): string => simulator().people.find(person => person.handle === handle)?.id ?? ''

beforeAll(async () => {
  workspace = await openWorkspace({
    admin: 'jonas',
    more: ({ people }) => ({
      access: {
        groups: {
          leads: {
            members: people.filter(({ handle }) => handle === 'ada').map(({ id }) => id),
            databases: { cycles: {} },
          },
          cargo: { members: 'everyone', databases: { cycles: { rows: { bicycles: "kind = 'cargo'" } } } },
        },
      },
      channels: { sales: {} },
    }),
  })
  await workspace.bot.start()
})
afterAll(() => workspace?.[Symbol.asyncDispose]())

/** What people wrote about bicycles of a kind that only ada sees, with ids that are the same in every world. */
const ids = Array.from({ length: 6 }, () => randomUUID())

const digestQuestion = (kind: string) => ({
  ...{
    id: ids[5],
    text: `how many ${kind} bicycles are there?`,
    database: 'cycles',
    rights: null,
    fingerprint: '',
  },
  statement: {
    sql: `select count(*) from bicycles where kind = '${kind}'`,
    ...{ today: '2026-11-20', periods: [] },
  },
})

const enter = async (kind: string): Promise<void> => {
  const { rows } = workspace.watcher
  await rows('delete from querent.verified_queries')
  await rows('delete from querent.proposed_rules')
  await rows('delete from querent.digests')
  const sql = `select count(*) from bicycles where kind = '${kind}'`
  for (const [at, status] of ['accepted', 'proposed', 'stale'].entries())
    await rows(
      `insert into querent.verified_queries (id, database, question, masked_question, sql, slots, fingerprint, status,
         saved_by, saved_at, decided_at, stale_since, stale_reasons, due_at)
       values ($1, 'cycles', $2, $2, $3, '[]', '', $4, $5, '2026-11-20', '2026-11-20', $6, $7, '2027-11-20')`,
      [
        ...[ids[at], `how many ${status} bicycles are ${kind}?`, sql, status, idOf('jonas')],
        ...(status === 'stale' ? ['2026-11-20', JSON.stringify([`no ${kind}`])] : [null, null]),
      ],
    )
  for (const [at, status] of ['accepted', 'proposed'].entries())
    await rows(
      `insert into querent.proposed_rules (id, database, question_id, question, phrase, meaning, sql, columns, status,
         proposed_by, proposed_at, decided_at)
       values ($1, 'cycles', $1, $2, $3, $4, $5, '[]', $6, $7, '2026-11-20', '2026-11-20')`,
      [
        ...[
          ids[3 + at],
          `${kind} by model?`,
          `${status} ones`,
          `kind is ${kind}`,
          `bicycles.kind = '${kind}'`,
        ],
        ...[status, idOf('ada')],
      ],
    )
  await rows(
    `insert into querent.digests (id, team, owner, title, questions, schedule_words, cron, time_zone, condition, target,
       next_due, created_at, request)
     values ($1, $2, $3, $4, $5, 'every day at 09:00', '0 9 * * *', 'UTC', '{"kind":"always"}', $6, '2027-11-20',
       '2026-11-20', $7)`,
    [
      ...[
        ids[5],
        simulator().team.id,
        idOf('ada'),
        `All ${kind} bicycles`,
        JSON.stringify([digestQuestion(kind)]),
      ],
      ...[JSON.stringify({ kind: 'person', person: idOf('ada') }), `${kind} ${randomUUID()}`],
    ],
  )
}

const words = (shown: unknown): string => JSON.stringify(shown)

/** Without what is another each time: moments, and ids of views and of blocks that have none. */
const plain = (text: string): string =>
  text.replaceAll(
    /\b\d{10}(?:\.\d+)?\b|\b\d{4}-\d\d-\d\d \d\d:\d\d UTC|\bV0?[A-Z0-9]{6,}\b|"block_id":"[\w+/=-]{4,7}"/g,
    '#',
  )

const command = async (by: string, text: string): Promise<string> => {
  const before = simulator().messages().length
  const sales = simulator().channels.find(({ name }) => name === 'sales')?.id ?? ''
  await simulator().command(idOf(by), sales, text)
  const reply = await simulator().until(
    () =>
      simulator()
        .messages()
        .slice(before)
        .find(({ onlyFor }) => onlyFor === idOf(by)),
    20_000,
  )
  return plain(`${reply.text} ${words(reply.blocks)}`)
}

const home = async (by: string): Promise<{ readonly id: string; readonly shown: string }> => {
  simulator().openHome(by)
  const opened = await simulator().until(() => {
    const view = simulator().home(by)
    return view && words(view.view).includes('digest_edit') ? view : null
  }, 20_000)
  await simulator().settled()
  return { id: opened.id, shown: plain(words(simulator().home(by)?.view.blocks)) }
}

/** Any message of the bot where everybody is. */
const somePost = async (): Promise<RecordedMessage> => {
  const message = await workspace.ask('@querent how many bicycles are there?', 'jonas')
  return workspace.reply(message, () => true, 30_000)
}

const form = async (by: string, viewId: string, label: string): Promise<string> => {
  await simulator().click({ by, on: { viewId }, label })
  const opened = await simulator().until(() => simulator().modal(by), 20_000)
  await simulator().closeModal(by)
  return plain(words(opened.view))
}

describe.each(['verified', 'digest list'])('/querent %s', { timeout: 60_000 }, line => {
  it('is the same in both worlds for who may not see the difference', async () => {
    const shown: string[] = []
    for (const kind of worlds) {
      await enter(kind)
      shown.push(await command('jonas', `/querent ${line}`))
    }
    expect(shown[0]).toBe(shown[1])
    expect(shown[0]).not.toMatch(/tandem|folding/)
  })
})

it('/querent verified is whole for who sees everything', { timeout: 60_000 }, async () => {
  await enter('tandem')
  expect(await command('ada', '/querent verified')).toContain('are tandem?')
})

it('App Home of an admin and its forms are the same in both worlds', { timeout: 120_000 }, async () => {
  // Asked before both: App Home counts questions.
  const post = await somePost()
  await workspace.watcher.until("select 1 from querent.questions where status = 'answered'", [])
  const shown: string[] = []
  for (const kind of worlds) {
    await enter(kind)
    const { id, shown: tab } = await home('jonas')
    const forms = []
    for (const label of ['Edit', 'Hand over']) forms.push(await form('jonas', id, label))
    // A button of the message of a run, which went to its owner alone.
    await simulator().click({
      ...{ by: 'jonas', on: post },
      forged: { actionId: 'digest_show_sql', value: ids[5] ?? '' },
    })
    const sql = await simulator().until(() => simulator().modal('jonas'), 20_000)
    await simulator().closeModal('jonas')
    shown.push([tab, ...forms, plain(words(sql.view))].join('\n'))
  }
  expect(shown[0]).toBe(shown[1])
  expect(shown[0]).not.toMatch(/tandem|folding/)
  expect(shown[0]).toContain("kind = '...'")
})

describe('the answer of somebody who sees more', { timeout: 120_000 }, () => {
  let question: { readonly id: string; readonly message: RecordedMessage }
  let notice: RecordedMessage

  beforeAll(async () => {
    const message = await workspace.ask('@querent how many bicycles are there of the kind tandem?', 'ada')
    notice = await workspace.reply(message, () => true, 30_000)
    const [row] = await workspace.watcher.until(
      "select id from querent.questions where place ->> 'message' = $1 and status = 'answered'",
      [message.ts],
    )
    question = { id: String(row?.id), message }
  }, 60_000)
  beforeEach(() => simulator().settled())

  it.each(['show_sql', 'edit_sql', 'schedule_answer'])('opens no form of %s', async actionId => {
    const told = (by: string) =>
      simulator()
        .messages()
        .filter(({ onlyFor }) => onlyFor === idOf(by)).length
    const before = told('jonas')
    await simulator().click({ by: 'jonas', on: notice, forged: { actionId, value: question.id } })
    await simulator().until(() => told('jonas') > before, 20_000)
    expect(simulator().modal('jonas')).toBeNull()

    await simulator().click({ by: 'ada', on: notice, forged: { actionId, value: question.id } })
    expect(words((await simulator().until(() => simulator().modal('ada'), 20_000)).view)).toContain('tandem')
    await simulator().closeModal('ada')
  })
})
