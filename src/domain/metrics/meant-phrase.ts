import type { Database } from '../database.ts'

/** Words of a question that mean something in the semantic layer of a database, its glossary included. */
export interface MeantPhrase {
  /** As written. */
  readonly text: string
  /** How well the words fit the first meaning, from 0 to 1. */
  readonly quality: number
  /** What it may mean, best first. Never empty. */
  readonly meanings: readonly PhraseMeaning[]
}

/** One thing that a phrase may mean. */
export interface PhraseMeaning {
  readonly kind: 'model' | 'dimension' | 'value' | 'metric' | 'segment'
  readonly table: string
  /** What a statement reads that means the same; empty where the rows of the table are meant. */
  readonly columns: readonly string[]
  /** As text; null for all that are no values. */
  readonly value: string | null
  /** A metric or segment that people have defined. */
  readonly isAccepted: boolean
}

/** Finds the phrases of a question in the layer of a database; without one, in what its catalog suggests. */
export type FindMeantPhrases = (
  question: string,
  database: Pick<Database, 'catalog' | 'findValues' | 'semanticLayer'>,
) => readonly MeantPhrase[]
