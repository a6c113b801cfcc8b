import { describe, expect, test } from 'vitest'
import type { ParseDialect } from '../../../src/domain/sql.ts'
import { sqlTokens } from '../../../src/sql/parse/sql-tokens.ts'

const cut = (sql: string, dialect: ParseDialect): readonly string[] => {
  const result = sqlTokens(sql, dialect)
  return result.ok ? result.tokens.map(({ kind, value }) => `${kind} ${value}`) : [result.message]
}

describe('sqlTokens', () => {
  test('tells words, names, strings, numbers and symbols apart', () => {
    expect(cut('SELECT "A b", x\'00\', 1.5e3, a>=.5', 'sqlite')).toEqual([
      ...['word select', 'quoted A b', 'symbol ,', 'string 00', 'symbol ,', 'number 1.5e3', 'symbol ,'],
      ...['word a', 'symbol >=', 'number .5'],
    ])
  })

  test('knows what each dialect quotes with', () => {
    expect(cut('"a" `b` [c]', 'sqlite')).toEqual(['quoted a', 'quoted b', 'quoted c'])
    expect(cut('"a" `b`', 'mysql')).toEqual(['string a', 'quoted b'])
    expect(cut('$$a$$ $t$b$$c$t$', 'postgres')).toEqual(['string a', 'string b$$c'])
    expect(cut("'a\\'b'", 'mysql')).toEqual(["string a'b"])
    expect(cut("'a\\', E'b\\'c'", 'postgres')).toEqual(['string a\\', 'symbol ,', "string b'c"])
    expect(cut('\'it\'\'s\' "a""b"', 'sqlite')).toEqual(["string it's", 'quoted a"b'])
  })

  test('knows which comments each dialect has', () => {
    expect(cut('1 /* a /* b */ c */', 'postgres')).toEqual(['number 1'])
    expect(cut('1 /* a /* b */ c', 'sqlite')).toEqual(['number 1', 'word c'])
    expect(cut('1--1', 'sqlite')).toEqual(['number 1'])
    expect(cut('1--1', 'mysql')).toEqual(['number 1', 'symbol -', 'symbol -', 'number 1'])
    expect(cut('1 # a\n+ 2', 'mysql')).toEqual(['number 1', 'symbol +', 'number 2'])
  })

  test('sees placeholders and variables', () => {
    expect(cut('?1 :a @b $c', 'sqlite')).toEqual([
      'parameter ?1',
      'parameter :a',
      'parameter @b',
      'parameter $c',
    ])
    expect(cut('@@x @y := 1', 'mysql').slice(0, 3)).toEqual(['parameter @@x', 'parameter @y', 'symbol :='])
    expect(cut('$1', 'postgres')).toEqual(['parameter $1'])
    expect(cut('a::int', 'postgres')).toEqual(['word a', 'symbol ::', 'word int'])
  })

  test.each([
    ["'open", 'a quote that is not closed'],
    ['/* open', 'a comment that is not closed'],
    ['a\u00a0b', 'a character that does not belong there (U+00A0)'],
    ['a\u0007', 'a character that does not belong there (U+0007)'],
    ['-- a\rb', 'a comment that ends in some servers and not in others'],
  ])('has no tokens for %j', (sql, message) => {
    expect(cut(sql, 'sqlite')).toEqual([message])
  })

  test('takes letters of every script', () => {
    expect(cut('SELECT Größe, 名前', 'sqlite')).toEqual([
      'word select',
      'word größe',
      'symbol ,',
      'word 名前',
    ])
  })

  test('counts positions in UTF-16 units', () => {
    const result = sqlTokens("'😀' a", 'sqlite')
    expect(result.ok && result.tokens[1]).toMatchObject({ text: 'a', start: 5, end: 6 })
  })
})
