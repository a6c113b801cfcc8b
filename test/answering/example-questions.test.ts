import { expect, it } from 'vitest'
import { exampleQuestions } from '../../src/answering/example-questions.ts'
import type { Catalog, Column, Table } from '../../src/domain/catalog.ts'

const column = (name: string, distinctCount: number): Column => ({
  name,
  type: 'text',
  kind: 'text',
  nullable: true,
  comment: null,
  profile: { nullShare: 0, distinctCount, min: null, max: null, mostFrequent: [], meanLength: 5 },
})

const table = (name: string, rowCount: number, ...columns: Column[]): Table => ({
  schema: null,
  name,
  type: 'table',
  comment: null,
  rowCount,
  columns,
  primaryKey: [],
})

const catalog: Catalog = {
  dialect: 'sqlite',
  fingerprint: 'x',
  tables: [
    table('boat_owners', 40, column('full_name', 39), column('harbour', 5)),
    table('boats', 500, column('name', 480), column('hull_colour', 6)),
    table('drafts', 0, column('state', 2)),
  ],
  foreignKeys: [
    {
      from: { table: 'boat_owners', columns: ['boat'] },
      to: { table: 'boats', columns: ['id'] },
      source: 'declared',
      inclusion: null,
    },
  ],
}

it('starts with tables that others reference, and groups only by columns with few values', () => {
  expect(exampleQuestions(catalog)).toEqual([
    'How many boats are there?',
    'How many boats are there by hull colour?',
    'How many boat owners are there by harbour?',
    'How many boat owners are there?',
  ])
})

it('says tables of a star schema in plain words, and asks for no days', () => {
  const star = [table('dim_date', 900, column('month_name', 12)), table('fact_shipment', 5_000)]
  expect(exampleQuestions({ ...catalog, tables: star, foreignKeys: [] })).toEqual([
    'How many shipments are there?',
  ])
})

it('finds no examples for an empty database', () => {
  expect(exampleQuestions({ ...catalog, tables: [] })).toEqual([])
})
