import { describe, expect, it } from 'vitest'
import type { LayerDecision } from '../../../src/domain/metrics/layer-decision.ts'
import { postgresServers } from '../../helpers/services/postgres-servers.ts'
import { storeOn } from '../setup/store-on.ts'

const at = new Date('2026-11-20T12:00:00Z')

const makeDecision = (changes: Partial<LayerDecision> = {}): LayerDecision => ({
  id: crypto.randomUUID(),
  database: 'shop',
  kind: 'metric',
  name: 'revenue',
  status: 'accepted',
  definition:
    'metrics:\n  - name: revenue\n    label: Ümsatz "brutto"\n    agg: sum\n    expr: total_cents\n',
  tables: { order: 'public.orders' },
  decidedBy: 'ada',
  decidedAt: at,
  ...changes,
})

describe.each(postgresServers('layer decisions'))('layer decisions on the %s server', on => {
  const store = storeOn(on)

  it('come back as they were stored; of several about the same, the last one counts', async () => {
    const { insert, listLast, listAll } = store().repositories.layerDecisions
    const database = 'decided'
    const first = makeDecision({ database })
    const other = makeDecision({ database, name: 'orders', tables: {}, decidedBy: null })
    const segment = makeDecision({ database, kind: 'segment' })
    // Clocks of two processes may disagree: what was stored last counts.
    const last = makeDecision({ database, status: 'rejected', decidedBy: 'bo', decidedAt: new Date(0) })
    for (const one of [first, other, segment, last]) await insert(one)
    await insert(makeDecision({ database: 'elsewhere' }))
    expect(await listLast(database)).toEqual([other, segment, last])
    expect(await listAll(database)).toEqual([first, other, segment, last])
    expect(await listLast('nowhere')).toEqual([])
  })

  it('leave a person who is forgotten without a name', async () => {
    const { layerDecisions, personalData } = store().repositories
    const database = 'forgotten'
    const person = 'U0FORGET1'
    await layerDecisions.insert(
      makeDecision({ database, decidedBy: person, definition: `metrics: [{ name: a, label: ${person} }]` }),
    )
    await store().inTransaction(tx => personalData.forget(person, 'someone', tx))
    const [row] = await layerDecisions.listAll(database)
    expect(row).toMatchObject({ decidedBy: 'someone' })
    expect(row?.definition).not.toContain(person)
  })
})
