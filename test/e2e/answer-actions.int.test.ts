import { describe, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { blockTypes, buttons, cells, isTable } from './message-parts.ts'
import { openAnswerActions, says, withoutCargo, words } from './open-answer-actions.ts'

const { workspace, simulator, idOf, now, askClear, more, privately, modalOf, expectNoProblems } =
  openAnswerActions()

/** A question that can be read in several ways, answered in one of them. */
const askWithOthers = async () => {
  const question = await workspace().ask('@querent hires by country this year')
  const back = await workspace().reply(
    question,
    reply => buttons(reply).includes('Something else…') || isTable(reply),
  )
  if (!isTable(back)) await simulator().click({ by: 'ada', on: back, label: buttons(back)[0] ?? '' })
  return { question, answer: await workspace().reply(question, isTable) }
}
/** The other results that a form offers. */
const othersIn = (blocks: readonly { readonly block_id?: unknown; readonly element?: unknown }[]) => {
  const block = blocks.find(({ block_id }) => block_id === 'other')
  return (block?.element as { options: { value: string }[] } | undefined)?.options ?? []
}
const feedbackOn = (question: RecordedMessage) =>
  workspace().watcher.rows(
    `select f.kind, f.person, f.reason, f.note from querent.feedback f join querent.questions q on q.id = f.question_id
     where q.place ->> 'message' = $1 order by f.kind`,
    [question.ts],
  )
/** Waits until an action of a person is stored. */
const kept = (question: RecordedMessage, kind: string, by: string) =>
  workspace().watcher.until(
    `select from querent.feedback f join querent.questions q on q.id = f.question_id
     where q.place ->> 'message' = $1 and f.kind = $2 and f.person = $3`,
    [question.ts, kind, idOf(by)],
  )

describe('Edit & rerun', () => {
  it('refuses a write inside the modal, with the guard’s reason', async () => {
    const { question, answer } = await askClear()
    await simulator().click({ by: 'jonas', on: answer, label: 'Edit & rerun' })
    await modalOf('jonas')
    for (const [sql, reason] of [
      ['delete from bicycles', /DELETE/],
      ['select 1; drop table bicycles', /one statement|statement/i],
      ['select colour from bicycles', /colour/],
    ] as const) {
      const submitted = await simulator().submitModal('jonas', { sql_0: sql })
      expect(submitted).toMatchObject({ outcome: 'errors' })
      expect(words(submitted)).toMatch(reason)
    }
    expect(simulator().modal('jonas')).not.toBeNull()
    await simulator().closeModal('jonas')
    expect(words(now(answer).blocks)).not.toContain('edited by')
    expect(workspace().replies(question)).toHaveLength(1)
    expectNoProblems()
  })

  it('puts the result in the place of the answer, with the name of who edited it', async () => {
    const { question, answer } = await askClear()
    await simulator().click({ by: 'jonas', on: answer, label: 'Edit & rerun' })
    const modal = await modalOf('jonas')
    expect(words(modal.view.blocks)).toContain('initial_value')
    expect(await simulator().submitModal('jonas', { sql_0: `${withoutCargo};` })).toEqual({
      outcome: 'closed',
    })
    const edited = await workspace().reply(question, says(`SQL edited by <@${idOf('jonas')}>`))
    expect(edited.ts).toBe(answer.ts)
    expect(cells(edited)).toEqual([
      ['Kind', 'Bicycles'],
      ['folding', '16'],
      ['tandem', '16'],
    ])
    expect(workspace().replies(question)).toHaveLength(1)

    await simulator().click({ by: 'mira', on: edited, label: 'Show SQL' })
    expect(words((await modalOf('mira')).view.blocks)).toContain('&lt;&gt; ')
    await simulator().closeModal('mira')
    await kept(question, 'edit', 'jonas')
    expectNoProblems()
  })

  it('finishes a query in the thread that takes longer than Slack waits', async () => {
    const { question, answer } = await askClear()
    await simulator().click({ by: 'ada', on: answer, label: 'Edit & rerun' })
    await modalOf('ada')
    const slow = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 8000000)
      select count(*) as counted from n`
    const submitted = await simulator().submitModal('ada', { sql_0: slow })
    expect(['closed', 'updated']).toContain(submitted.outcome)
    await workspace().reply(question, says('Counted: 8,000,000'))
    if (submitted.outcome === 'updated') {
      await simulator().until(() => words(simulator().modal('ada')?.view).includes('Done'))
      await simulator().closeModal('ada')
    }
    expectNoProblems()
  })
})

describe('a thumb down', () => {
  it('asks why, and keeps the reason', async () => {
    const { question, answer } = await askClear()
    await simulator().click({ by: 'mira', on: answer, label: 'Wrong' })
    await modalOf('mira')
    expect(
      await simulator().submitModal('mira', { reason: 'wrong-filter', note: 'Only those we still have.' }),
    ).toEqual({ outcome: 'closed' })
    expect(await feedbackOn(question)).toEqual([
      { kind: 'reason', person: idOf('mira'), reason: 'wrong-filter', note: 'Only those we still have.' },
    ])
    await workspace().reply(question, says('marked wrong by 1'))
    expectNoProblems()
  })

  it('may be skipped', async () => {
    const { question, answer } = await askClear()
    await simulator().click({ by: 'mira', on: answer, label: 'Wrong' })
    await modalOf('mira')
    expect(await simulator().submitModal('mira', {})).toEqual({ outcome: 'closed' })
    expect(await feedbackOn(question)).toEqual([])
    await workspace().reply(question, says('marked wrong by 1'))
  })

  it('teaches the experts of the answer, and a changed mind corrects it', async () => {
    const { question, answer } = await askClear()
    const { watcher } = workspace()
    // As if two experts had voted: one for what is shown, one for another result.
    await watcher.rows(
      `insert into querent.expert_rounds (question_id, groups, answers)
       select q.id, jsonb_build_array(jsonb_build_object('key', c.run ->> 'groupKey', 'candidateIds', jsonb_build_array(c.id))),
         jsonb_build_array(jsonb_build_object('expert', 'shown', 'key', c.run ->> 'groupKey'),
           jsonb_build_object('expert', 'other', 'key', 'of-the-other'))
       from querent.questions q join querent.answers a on a.question_id = q.id
         join querent.candidates c on c.question_id = q.id and c.id = a.candidate_id
       where q.place ->> 'message' = $1 returning question_id`,
      [question.ts],
    )
    const mistakes = (expert: string, count: number) =>
      watcher.until('select from querent.expert_mistakes where expert = $1 and mistakes = $2', [
        expert,
        count,
      ])
    await simulator().click({ by: 'mira', on: answer, label: 'Wrong' })
    await modalOf('mira')
    await simulator().closeModal('mira')
    await mistakes('shown', 1)
    await simulator().click({ by: 'mira', on: now(answer), label: 'Right' })
    await mistakes('shown', 0)
    expectNoProblems()
  })

  it('takes the SQL that was meant, once it runs', async () => {
    const { question, answer } = await askClear()
    await simulator().click({ by: 'mira', on: answer, label: 'Wrong' })
    await modalOf('mira')
    expect(await simulator().submitModal('mira', { sql: 'update bicycles set price = 0' })).toMatchObject({
      outcome: 'errors',
      errors: { sql: expect.any(String) },
    })
    expect(await simulator().submitModal('mira', { sql: withoutCargo })).toEqual({ outcome: 'closed' })
    const given = await workspace().reply(question, says(`<@${idOf('mira')}>`))
    expect(cells(given)).toHaveLength(3)
    // The vote was about what stood before.
    expect(words(given.blocks)).not.toContain('marked wrong')
    expectNoProblems()
  })

  it('offers the other results, and shows the one that is picked', async () => {
    const { question, answer } = await askWithOthers()
    const before = words(cells(answer))
    await simulator().click({ by: 'ada', on: answer, label: 'Wrong' })
    const modal = await modalOf('ada')
    const options = othersIn(modal.view.blocks)
    expect(options.length).toBeGreaterThan(0)
    expect(await simulator().submitModal('ada', { other: options[0]?.value ?? '' })).toEqual({
      outcome: 'closed',
    })
    const picked = await workspace().reply(question, says(`Result picked by <@${idOf('ada')}>`))
    expect(words(cells(picked))).not.toBe(before)
    await kept(question, 'alternative', 'ada')
    expectNoProblems()
  })

  it('reads rows that are no longer stored again when a person picks or exports them', async () => {
    const { watcher } = workspace()
    const { question, answer } = await askWithOthers()
    await simulator().click({ by: 'mira', on: answer, label: 'Wrong' })
    const modal = await modalOf('mira')
    const options = othersIn(modal.view.blocks)
    await watcher.rows('delete from querent.saved_results')
    const other = options[0]?.value ?? ''
    expect(await simulator().submitModal('mira', { other })).toEqual({ outcome: 'closed' })
    await kept(question, 'alternative', 'mira')
    const readFor = (origin: string, by: string) =>
      watcher.until(
        `select from querent.audit_log a join querent.questions q on q.id::text = a.question_id
         where q.place ->> 'message' = $1 and a.origin = $2 and a.person = $3 and a.verdict = 'ran'`,
        [question.ts, origin, idOf(by)],
      )
    await readFor('edit', 'mira')
    await watcher.rows('delete from querent.saved_results')
    await simulator().click({ by: 'jonas', on: answer, label: 'Export CSV' })
    await readFor('export', 'jonas')
    expect(await watcher.rows("select sql from querent.audit_log where origin = 'unattributed'")).toEqual([])
    expectNoProblems()
  })
})

describe('the menu', () => {
  it('tells how the answer came about', async () => {
    const { answer } = await askClear()
    await more('jonas', answer, 'How I got this')
    const modal = await modalOf('jonas')
    expect(words(modal.view.blocks)).toContain('*Queries*')
    expect(words(modal.view.blocks)).toContain('(the answer)')
    await simulator().closeModal('jonas')
    expectNoProblems()
  })

  it('saves the answer as a proposal of a verified query', async () => {
    const { question, answer } = await askClear('jonas')
    await more('jonas', answer, 'Save as verified')
    await privately('jonas', 'Saved as a proposal')
    const [saved] = await workspace().watcher.rows(
      'select status, saved_by, question from querent.verified_queries order by saved_at desc limit 1',
    )
    expect(saved).toMatchObject({ status: 'proposed', saved_by: idOf('jonas') })
    expect(question.text).toContain(String(saved?.question))
    expectNoProblems()
  })

  it('shows a chart that Slack draws in the same message, and the table again', async () => {
    const { question, answer } = await askClear()
    await more('ada', answer, 'Show as chart')
    const isDrawn = (message: RecordedMessage) => blockTypes(message).includes('data_visualization')
    const chart = await workspace().reply(question, isDrawn)
    expect(chart.ts).toBe(answer.ts)
    expect(blockTypes(chart)).not.toContain('data_table')
    await more('ada', answer, 'Show as table')
    await workspace().reply(question, isTable)
    expect(workspace().replies(question)).toHaveLength(1)
    expectNoProblems()
  })

  it('shows a picture of the chart once Slack refused to draw it', async () => {
    const { question, answer } = await askClear()
    simulator().setFaults([{ method: 'chat.update', times: 1, kind: 'error', error: 'invalid_blocks' }])
    await more('ada', answer, 'Show as chart')
    const chart = await workspace().reply(question, message => blockTypes(message).includes('image'))
    expect(chart.ts).toBe(answer.ts)
    expect(blockTypes(chart)).not.toContain('data_table')
    const image = chart.blocks.find(({ type }) => type === 'image')
    expect(image?.alt_text).toMatch(/by kind/i)
    const [, id] = /"slack_file":\{"id":"(\w+)"/.exec(words(image)) ?? []
    const file = await fetch(`${simulator().url}/files/${id}`)
    expect(
      Buffer.from(await file.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')
    // It stays when the message changes for another reason.
    await simulator().click({ by: 'mira', on: chart, label: 'Right' })
    const voted = await workspace().reply(question, says('marked right by 1'))
    expect(blockTypes(voted)).toContain('image')
    await more('ada', answer, 'Show as table')
    await workspace().reply(question, isTable)
    expect(workspace().replies(question)).toHaveLength(1)
  })

  it('shares the chart in the thread when the message cannot show it, and keeps the table', async () => {
    const { question, answer } = await askClear()
    // Charts are not drawn here since the refusal above; all changes that would show the picture are refused too.
    simulator().setFaults([{ method: 'chat.update', times: 6, kind: 'error', error: 'slack_file_not_found' }])
    await more('ada', answer, 'Show as chart')
    const shared = await workspace().reply(question, ({ files }) => files.length > 0)
    expect(shared.files[0]?.name).toBe('chart.png')
    await workspace().reply(question, isTable)
  })
})
