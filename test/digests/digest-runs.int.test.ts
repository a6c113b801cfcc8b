import { describe, expect, it } from 'vitest'
import { requireQuotaToRunNow } from '../../src/digests/digest-use-cases.ts'
import { QuerentError } from '../../src/domain/errors.ts'
import {
  find,
  notIn,
  outcomes,
  perCity,
  prepareDigestTests,
  schedule,
  setup,
} from './prepare-digest-tests.ts'

/** What runs of digests do, on a real store and a real database. */

prepareDigestTests()

describe('a run', () => {
  it('covers its own days, compares with the last run, and is due again', async () => {
    const { digest } = await schedule()
    await setup.at('2026-11-23T09:00:01Z')
    await setup.at('2026-11-30T09:00:01Z')
    const shown = setup.posts.map(({ kind, parts: [part] }) => part?.status === 'ran' && { kind, ...part })
    expect(shown).toMatchObject([
      {
        kind: 'due',
        headline: 'Hires from Nov 16 to 22, 2026: 7',
        periods: ['last week: Nov 16 to 22, 2026'],
        change: { kind: 'first' },
      },
      {
        kind: 'due',
        headline: 'Hires from Nov 23 to 29, 2026: 5',
        periods: ['last week: Nov 23 to 29, 2026'],
        change: { before: 7, now: 5 },
      },
    ])
    expect((await find(digest.id)).nextDue?.toISOString()).toBe('2026-12-07T09:00:00.000Z')
    expect(await outcomes(digest.id)).toEqual(['posted', 'posted'])
  })

  it('runs once, however often its job is delivered', async () => {
    const { digest } = await schedule()
    setup.fakes.now = new Date('2026-11-23T09:00:01Z')
    await Promise.all([setup.claim(), setup.claim(), setup.claim()])
    expect(setup.jobs.length).toBe(1)
    const [job] = setup.jobs.splice(0)
    if (!job) throw new Error('there is no job')
    await setup.run(job, { lastAttempt: false })
    await setup.run(job, { lastAttempt: false })
    expect(setup.posts.length).toBe(1)
    expect(await outcomes(digest.id)).toEqual(['posted'])
  })

  it('runs once for missed due times, and says so', async () => {
    const { digest } = await schedule({ schedule: 'daily 09:00' })
    await setup.at('2026-11-27T08:00:00Z')
    expect(setup.posts).toMatchObject([
      { kind: 'late', missed: 4, scheduledFor: new Date('2026-11-26T09:00:00Z') },
    ])
    expect((await find(digest.id)).nextDue?.toISOString()).toBe('2026-11-27T09:00:00.000Z')
  })

  it('stays quiet while its condition is not met, and compares with the last posted run', async () => {
    const { digest } = await schedule(
      { schedule: 'daily 09:00', condition: { kind: 'changed' } },
      'Per city',
      perCity,
    )
    await setup.at('2026-11-23T09:00:01Z')
    await setup.at('2026-11-24T09:00:01Z')
    await setup.change("update hires set n = n + 1 where city = 'Kiel'")
    await setup.at('2026-11-25T09:00:01Z')
    await setup.change("update hires set n = n - 1 where city = 'Kiel'")
    expect(await outcomes(digest.id)).toEqual(['posted', 'quiet', 'posted'])
    expect(setup.posts[1]?.parts).toMatchObject([
      { change: { kind: 'rows', changed: 1 }, since: new Date('2026-11-23T09:00:01Z') },
    ])
  })

  it('by hand is posted regardless of its condition, also while paused', async () => {
    const { digest } = await schedule({ condition: { kind: 'above', value: 1_000 } })
    const by = { digestId: digest.id, person: 'U1' }
    await setup.useCases.pause(by)
    await setup.useCases.runNow({ ...by, request: 'click' })
    await setup.at('2026-11-23T08:00:00Z')
    expect(setup.posts.map(({ kind }) => kind)).toEqual(['by-hand'])
    expect((await find(digest.id)).pause).toMatchObject({ why: 'by-person' })
  })

  it("by hand runs on the account of the person who clicks with the owner's permissions, and when due on the owner's", async () => {
    const { digest } = await schedule()
    const by = { digestId: digest.id, person: 'UADMIN' }
    setup.fakes.access = person =>
      person === 'U1' ? { status: 'allowed', database: 'cycles' } : notIn('C1')(person, 'C1')
    expect(await setup.useCases.runNow({ ...by, request: 'admin' })).toMatchObject({ status: 'changed' })
    await setup.at('2026-11-23T08:00:00Z')
    await setup.at('2026-11-23T09:00:01Z')
    expect(setup.accounts).toEqual(['UADMIN', 'U1'])
    expect(setup.posts.map(({ kind }) => kind)).toEqual(['by-hand', 'due'])
  })

  it('by hand is refused only to a person who has used up their quota', async () => {
    const { digest } = await schedule()
    const spent = { status: 'not-allowed', reason: 'The limit is reached.', nextStep: 'Wait.' } as const
    const checked: unknown[] = []
    const runNow = requireQuotaToRunNow(setup.useCases, async who => {
      checked.push(who)
      return who.person === 'U1' ? null : spent
    })
    const press = (person: string) => runNow({ digestId: digest.id, person, request: `by ${person}` })
    expect(await press('UADMIN')).toEqual(spent)
    expect(checked).toEqual([{ origin: 'digest', person: 'UADMIN', team: 'T1', channel: 'C1' }])
    // Somebody whom it is none of the business of learns nothing of budgets.
    expect(await press('U9')).toMatchObject({
      reason: expect.stringContaining("Only a digest's owner and admins"),
    })
    expect(checked).toHaveLength(1)
    expect(setup.jobs).toEqual([])
    expect(await press('U1')).toMatchObject({ status: 'changed' })
    expect(setup.jobs).toHaveLength(1)
  })

  it('by hand happens once per double click, and again for a later click', async () => {
    const { digest } = await schedule()
    const click = async (at: string, seen: Date | null | undefined = null) => {
      setup.fakes.now = new Date(at)
      const clicked = { digestId: digest.id, person: 'U1', request: at, ...(seen !== undefined && { seen }) }
      expect(await setup.useCases.runNow(clicked)).toMatchObject({ status: 'changed' })
    }
    // Across the turn of a minute, and from two processes at once.
    await click('2026-11-23T07:00:59.900Z')
    await Promise.all([click('2026-11-23T07:01:00.100Z'), click('2026-11-23T07:01:00.200Z')])
    expect(setup.jobs.length).toBe(1)
    // While it is under way.
    await click('2026-11-23T07:01:40.000Z')
    expect(setup.jobs.length).toBe(1)
    await setup.at('2026-11-23T07:02:00.000Z')
    await click('2026-11-23T07:02:10.000Z')
    await setup.at('2026-11-23T07:02:10.500Z')
    // It is done already, but the click is still the second of two.
    await click('2026-11-23T07:02:11.000Z')
    expect(setup.jobs.length).toBe(0)
    expect(setup.posts.length).toBe(2)
    // Who clicks on what the run has posted has seen it, and wants another.
    const { scheduledFor } = setup.posts[1] ?? {}
    await click('2026-11-23T07:02:12.000Z', scheduledFor)
    await click('2026-11-23T07:02:12.100Z', scheduledFor)
    expect(setup.jobs.length).toBe(1)
  })

  it('stores its statements for its owner and admins', async () => {
    const { digest } = await schedule()
    await setup.at('2026-11-30T09:00:01Z')
    const scheduledFor = new Date('2026-11-30T09:00:00Z')
    // What is changed later changes nothing of what ran.
    const by = { digestId: digest.id, person: 'U1' }
    await setup.useCases.addQuestion({ ...by, questionId: await setup.answer('Hires per city', perCity) })
    const ran = [
      {
        text: 'Hires last week',
        sql: "select sum(n) as hires from hires where day >= '2026-11-23' and day < '2026-11-30'",
        periods: ['last week: Nov 23 to 29, 2026'],
      },
    ]
    const of = (person: string) =>
      setup.useCases.findStatements({ digestId: digest.id, person, scheduledFor })
    expect([await of('U1'), await of('UADMIN'), await of('U2')]).toEqual([ran, ran, null])
  })

  it('is skipped if the digest was paused or deleted after the claim', async () => {
    const { digest: paused } = await schedule()
    const { digest: deleted } = await schedule()
    setup.fakes.now = new Date('2026-11-23T09:00:01Z')
    await setup.claim()
    await setup.useCases.pause({ digestId: paused.id, person: 'U1' })
    await setup.useCases.remove({ digestId: deleted.id, person: 'U1' })
    for (const job of setup.jobs.splice(0)) await setup.run(job, { lastAttempt: false })
    expect(setup.posts).toEqual([])
    expect(await outcomes(paused.id)).toEqual(['skipped'])
  })

  it('shows failed questions beside the others', async () => {
    await setup.change('create table parts (n integer); insert into parts values (1);')
    const { digest } = await schedule({}, 'Parts', 'select count(*) as parts from parts')
    const questionId = await setup.answer('Per city', perCity)
    const added = { digestId: digest.id, questionId, person: 'U1' }
    await setup.useCases.addQuestion(added)
    expect(await setup.useCases.addQuestion(added)).toMatchObject({ digest: { questions: { length: 2 } } })
    await setup.change('drop table parts')
    await setup.at('2026-11-23T09:00:01Z')
    expect(setup.posts[0]?.parts).toMatchObject([
      { status: 'failed' },
      { status: 'ran', headline: 'Oslo had the highest hires: 8 of 12 (67%)' },
    ])
    expect(setup.notices).toMatchObject([{ kind: 'repair', repair: { statement: null } }])
  })

  it('waits for an unavailable database, tells its owner once, and is paused in the end', async () => {
    const { digest } = await schedule({ schedule: 'daily 09:00' })
    setup.fakes.isAway = true
    await expect(setup.at('2026-11-23T09:00:01Z')).rejects.toThrow('Something went wrong')
    expect(setup.notices).toEqual([])
    for (const { digestId, scheduledFor } of await setup.store.repositories.digestRuns.listOpen(
      setup.fakes.now,
      9,
    ))
      await setup.run({ digestId, scheduledFor: scheduledFor.toISOString() }, { lastAttempt: true })
    await setup.at('2026-11-24T09:00:01Z', { lastAttempt: true })
    await setup.at('2026-11-25T09:00:01Z', { lastAttempt: true })
    await setup.at('2026-11-26T09:00:01Z', { lastAttempt: true })
    expect(setup.notices).toMatchObject([
      { kind: 'failed', paused: false },
      { kind: 'failed', paused: true },
    ])
    expect(await find(digest.id)).toMatchObject({ failures: 3, pause: { why: 'failed' }, nextDue: null })
    expect(await setup.useCases.resume({ digestId: digest.id, person: 'U1' })).toMatchObject({
      digest: { failures: 0, pause: null, nextDue: new Date('2026-11-27T09:00:00Z') },
    })
  })

  it('is retried if Slack is down, and then compares with the same run', async () => {
    const { digest } = await schedule()
    setup.fakes.beforePost = async () => {
      throw new Error('Slack is away')
    }
    await expect(setup.at('2026-11-23T09:00:01Z')).rejects.toThrow('Slack is away')
    expect(await setup.store.repositories.digestFindings.listOf(digest.id)).toEqual(new Map())
    setup.fakes.beforePost = async () => null
    for (const { digestId, scheduledFor } of await setup.store.repositories.digestRuns.listOpen(
      setup.fakes.now,
      9,
    ))
      await setup.run({ digestId, scheduledFor: scheduledFor.toISOString() }, { lastAttempt: false })
    expect(setup.posts).toMatchObject([{ parts: [{ change: { kind: 'first' } }] }])
  })

  it('ends at once if it can never succeed', async () => {
    const { digest } = await schedule()
    setup.fakes.beforePost = async () => {
      throw new QuerentError('bad-configuration', 'the token is wrong')
    }
    await setup.at('2026-11-23T09:00:01Z')
    expect(setup.notices).toMatchObject([{ kind: 'failed', reason: 'the token is wrong', paused: false }])
    expect(await outcomes(digest.id)).toEqual(['failed'])
  })

  it('pauses the digest if it can never be delivered', async () => {
    const { digest } = await schedule()
    setup.fakes.beforePost = async () => 'The channel is archived.'
    await setup.at('2026-11-23T09:00:01Z')
    expect(setup.notices).toEqual([{ kind: 'unreachable', reason: 'The channel is archived.' }])
    expect((await find(digest.id)).pause).toMatchObject({ why: 'failed', reason: 'The channel is archived.' })
  })
})

describe('a run over a limit', () => {
  it('fails with the reason and a next step if a statement reads too much', async () => {
    const { fakes, notices, posts } = setup
    const { digest } = await schedule()
    fakes.expensiveRows = 2
    await setup.close()
    try {
      await setup.at('2026-11-23T09:00:00Z')
    } finally {
      fakes.expensiveRows = null
      await setup.close()
    }
    expect(posts).toEqual([])
    expect(await outcomes(digest.id)).toEqual(['failed'])
    expect(notices).toMatchObject([
      {
        kind: 'failed',
        reason: expect.stringContaining('This reads about 3 rows, most of them of hires.'),
        nextStep: 'Narrow the question and schedule the new answer instead.',
        paused: false,
      },
    ])
  })

  it('fails once if a quota is reached, and runs after it resets', async () => {
    const { fakes, notices, posts } = setup
    const { digest } = await schedule()
    fakes.overBudget = 'The limit is reached: 5 rows were read for you today.'
    await setup.at('2026-11-23T09:00:00Z')
    expect(await outcomes(digest.id)).toEqual(['failed'])
    expect(notices).toMatchObject([
      { reason: fakes.overBudget, nextStep: "I'll try again at the next scheduled time.", paused: false },
    ])
    fakes.overBudget = null
    await setup.at('2026-11-30T09:00:00Z')
    expect(await outcomes(digest.id)).toEqual(['failed', 'posted'])
    expect(posts).toHaveLength(1)
    expect((await find(digest.id)).failures).toBe(0)
  })
})
