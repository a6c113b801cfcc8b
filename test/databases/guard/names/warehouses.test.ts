import { expect, test } from 'vitest'
import type { Dialect } from '../../../../src/domain/sql.ts'
import { runWarehouse, warehouses } from './run-warehouses.ts'

test.each(Object.keys(warehouses) as Dialect[])(
  'by the documents of %s, no rendered statement reads a restricted table but through what stands in its place',
  dialect => {
    const { leaks, rendered, readAsWritten } = runWarehouse(dialect, { statements: 450, seed: 41 })
    expect(leaks).toEqual([])
    // A proof only as far as statements are rendered, and the resolver sees what they read as written.
    expect(rendered).toBeGreaterThan(150)
    expect(readAsWritten).toBeGreaterThan(200)
  },
)
