import { expect, it } from 'vitest'
import { statementKey } from '../../../graphs/answer/repair/shared-runs.ts'

it.each([
  ['white space', 'select  a\n from\tt ', 'select a from t'],
  ['closing semicolons', 'select a from t;\n;', 'select a from t'],
  ['comments', 'select a /* all */ from t -- done', 'select a from t'],
])('is equal for statements that differ in %s', (_, one, other) => {
  expect(statementKey(one, 'postgres')).toBe(statementKey(other, 'postgres'))
})

it.each([
  ['white space in a string', "select 'a  b'", "select 'a b'"],
  ['a semicolon in a string', "select 'a;'", "select 'a'"],
  ['the case of a name', 'select a from t', 'select A from t'],
  ['a quoted name', 'select "a b" from t', 'select "a  b" from t'],
  ['a string on two lines', "select 'a'\n'b'", "select 'a' 'b'"],
  ['what cannot be read', "select 'a", "select  'a"],
])('differs with %s', (_, one, other) => {
  expect(statementKey(one, 'postgres')).not.toBe(statementKey(other, 'postgres'))
})
