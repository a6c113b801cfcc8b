import { describe, expect, it } from 'vitest'
import { find, outcomes, perCity, prepareDigestTests, schedule, setup } from './prepare-digest-tests.ts'

/** Statements whose schema changed, on a real store and a real database whose schema is changed. */
prepareDigestTests()

describe('a statement broken by a schema change', () => {
  const renamed = 'alter table hires rename column city to town'
  const restored = 'alter table hires rename column town to city'
  const perCityLastWeek =
    "select city, sum(n) as total from hires where day >= '2026-11-16' and day < '2026-11-23' group by city"

  it('is not replaced silently: its owner decides, and its periods still move', async () => {
    const { digest } = await schedule({}, 'Hires last week per city', perCityLastWeek)
    await setup.change('alter table hires rename to hire')
    await setup.at('2026-11-23T09:00:01Z')
    const waiting = await find(digest.id)
    await setup.change('alter table hire rename to hires')
    expect(setup.posts).toEqual([])
    expect(waiting).toMatchObject({
      pause: { why: 'schema' },
      nextDue: null,
      repair: { reason: expect.any(String) },
    })
    expect(setup.notices).toMatchObject([{ kind: 'repair' }])
    expect(waiting.questions[0]?.statement.sql).toBe(perCityLastWeek)
    expect(waiting.repair?.statement?.sql).toContain('from hire where')
    expect(waiting.repair?.statement?.periods).toMatchObject([{ phrase: 'last week', bounds: { length: 2 } }])
    const { proposedAt = new Date(0) } = waiting.repair ?? {}
    const accept = (shownAt: Date) =>
      setup.useCases.decideRepair({
        ...{ digestId: digest.id, person: 'U1', decision: 'accept' },
        proposedAt: shownAt,
      })
    // Another proposal than the one that is there was shown.
    expect(await accept(new Date(proposedAt.getTime() - 1))).toEqual({ status: 'gone' })
    const accepted = await accept(proposedAt)
    expect(accepted).toMatchObject({
      digest: { pause: null, repair: null, nextDue: new Date('2026-11-30T09:00:00Z') },
    })
    expect(await accept(proposedAt)).toEqual({ status: 'gone' })
  })

  it('can be decided by its owner right after the notice', async () => {
    const { digest } = await schedule({}, 'Hires last week per city', perCityLastWeek)
    await setup.change('alter table hires rename to hire')
    const decisions: unknown[] = []
    setup.fakes.beforeTold = async () => {
      const by = { digestId: digest.id, person: 'U1' }
      const { proposedAt = new Date(0) } = (await find(digest.id)).repair ?? {}
      decisions.push(await setup.useCases.decideRepair({ ...by, decision: 'accept', proposedAt }))
    }
    await setup.at('2026-11-23T09:00:01Z')
    await setup.change('alter table hire rename to hires')
    expect(decisions).toMatchObject([{ status: 'changed', digest: { pause: null, repair: null } }])
    // The end of the run takes nothing of that back.
    expect(await find(digest.id)).toMatchObject({ pause: null, repair: null })
    expect((await find(digest.id)).questions[0]?.statement.sql).toContain('from hire where')
    expect(await outcomes(digest.id)).toEqual(['repair'])
  })

  it('reaches its owner even if the first notice failed', async () => {
    const { digest } = await schedule({}, 'Hires last week per city', perCityLastWeek)
    await setup.change('alter table hires rename to hire')
    setup.fakes.beforeTold = async () => Promise.reject(new Error('Slack is away'))
    await expect(setup.at('2026-11-23T09:00:01Z')).rejects.toThrow('Slack is away')
    expect(await find(digest.id)).toMatchObject({ pause: { why: 'schema' } })
    setup.fakes.beforeTold = async () => {}
    const job = { digestId: digest.id, scheduledFor: '2026-11-23T09:00:00.000Z' }
    await setup.run(job, { lastAttempt: false })
    await setup.run(job, { lastAttempt: false })
    await setup.change('alter table hire rename to hires')
    expect(setup.notices).toMatchObject([{ kind: 'repair' }])
    expect(await outcomes(digest.id)).toEqual(['repair'])
  })

  it('does not include one that never ran, which is a failure', async () => {
    const { digest } = await schedule({}, 'Hires per country', 'select country, n from hires')
    await setup.at('2026-11-23T09:00:01Z')
    expect(setup.notices).toMatchObject([{ kind: 'failed', paused: false }])
    expect(await find(digest.id)).toMatchObject({ repair: null, pause: null, failures: 1 })
  })

  it('keeps running if the change does not affect it', async () => {
    const { digest } = await schedule()
    const before = (await find(digest.id)).questions[0]?.fingerprint
    await setup.change('create table other (n integer)')
    await setup.at('2026-11-23T09:00:01Z')
    await setup.change('drop table other')
    expect(await outcomes(digest.id)).toEqual(['posted'])
    expect((await find(digest.id)).questions[0]?.fingerprint).not.toBe(before)
  })

  it('can have two repairs, of which the owner accepts one', async () => {
    const { digest } = await schedule({}, 'Per city', perCity)
    await setup.change('alter table hires add column city_a text')
    await setup.change('alter table hires add column city_b text')
    await setup.change('update hires set city_a = city, city_b = city')
    await setup.change('alter table hires drop column city')
    await setup.at('2026-11-23T09:00:01Z')
    const { repair } = await find(digest.id)
    const proposed = [repair?.statement?.sql, repair?.other?.statement.sql]
    await setup.change('alter table hires rename column city_a to city')
    await setup.change('alter table hires drop column city_b')
    expect([...proposed].sort()).toEqual([
      'select city_a, sum(n) as hires from hires group by city_a order by city_a',
      'select city_b, sum(n) as hires from hires group by city_b order by city_b',
    ])
    expect(repair?.says).toHaveLength(1)
    expect(repair?.reason).toContain('the column hires.city is gone')
    const given = { digestId: digest.id, person: 'U1', proposedAt: repair?.proposedAt ?? new Date(0) }
    await setup.useCases.decideRepair({ ...given, decision: 'accept-other' })
    expect((await find(digest.id)).questions[0]?.statement.sql).toBe(proposed[1])
  })

  it('stores its schema when scheduled, and updates it after a run', async () => {
    const { digest } = await schedule({}, 'Per city', perCity)
    const known = (await find(digest.id)).questions[0]?.known
    const columnsOf = (given: typeof known) => given?.tables[0]?.columns.map(({ name }) => name).sort()
    expect(known?.tables).toHaveLength(1)
    expect(columnsOf(known)).toEqual(['city', 'day', 'n'])
    expect(known?.result?.columns.map(({ name }) => name)).toEqual(['city', 'hires'])
    expect(JSON.stringify(known)).not.toMatch(/Oslo|Kiel/)
    await setup.change('alter table hires add column floor text')
    await setup.at('2026-11-23T09:00:01Z')
    await setup.change('alter table hires drop column floor')
    const learnt = (await find(digest.id)).questions[0]?.known
    expect(columnsOf(learnt)).toEqual(['city', 'day', 'floor', 'n'])
  })

  it('stays unchanged if the repair is refused', async () => {
    const { digest } = await schedule({}, 'Per city', perCity)
    await setup.change(renamed)
    await setup.at('2026-11-23T09:00:01Z')
    await setup.change(restored)
    const { proposedAt = new Date(0) } = (await find(digest.id)).repair ?? {}
    const refused = await setup.useCases.decideRepair({
      ...{ digestId: digest.id, person: 'U1', decision: 'refuse', proposedAt },
    })
    expect(refused).toMatchObject({ digest: { repair: null, pause: { why: 'schema' } } })
    expect((await find(digest.id)).questions[0]?.statement.sql).toBe(perCity)
  })
})
