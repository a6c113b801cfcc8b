import { expect, it } from 'vitest'
import { databaseFamily } from '../../../src/ranking/selector/shipped-selector.ts'

it('a database with other rows of another is held out with it', () => {
  expect(['harbour', 'new_harbour', 'renew_harbour', 'new'].map(databaseFamily)).toEqual([
    'harbour',
    'harbour',
    'renew_harbour',
    'new',
  ])
})
