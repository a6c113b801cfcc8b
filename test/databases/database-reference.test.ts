import { describe, expect, it } from 'vitest'
import { parseDatabaseReference } from '../../src/databases/database-reference.ts'
import type { QuerentError } from '../../src/domain/errors.ts'

const parse = (text: string) => parseDatabaseReference(text, { baseFolder: '/home/ada/data' })

const refusal = (text: string): QuerentError => {
  try {
    parse(text)
  } catch (error) {
    return error as QuerentError
  }
  return expect.fail('it was read')
}

describe('parseDatabaseReference', () => {
  it.each([
    ['sqlite:shop.sqlite', '/home/ada/data/shop.sqlite'],
    ['sqlite:../shop.sqlite', '/home/ada/shop.sqlite'],
    ['sqlite:/var/shop.sqlite', '/var/shop.sqlite'],
    ['sqlite:///var/shop.sqlite', '/var/shop.sqlite'],
    ['SQLite:with spaces & signs?.db', '/home/ada/data/with spaces & signs?.db'],
  ])('reads %s', (text, file) => {
    expect(parse(text)).toMatchObject({ dialect: 'sqlite', location: file })
  })

  it.each([
    ['duckdb:exports', '/home/ada/data/exports'],
    ['duckdb:../shop.duckdb', '/home/ada/shop.duckdb'],
    ['duckdb:///var/sales 2024.parquet', '/var/sales 2024.parquet'],
  ])('reads %s', (text, path) => {
    expect(parse(text)).toMatchObject({ dialect: 'duckdb', location: path })
  })

  it.each(['duckdb:', 'duckdb::memory:'])('says what %s lacks', text => {
    expect(refusal(text)).toMatchObject({
      code: 'unknown-database',
      message: expect.stringContaining('folder of such files'),
    })
  })

  it('names a file as it was written', () => {
    expect(parse('sqlite:../shop.sqlite').name).toBe('sqlite:../shop.sqlite')
  })

  it.each([
    ['postgres://reader:s3cret@db.example:6543/shop', 'postgres://reader@db.example:6543/shop'],
    ['postgresql://reader:s3cret@db.example/shop?sslmode=require', 'postgres://reader@db.example/shop'],
    ['postgres://db.example/shop?password=s3cret&user=reader', 'postgres://db.example/shop'],
    ['postgres:///shop?host=/run/postgresql&password=s3cret', 'postgres:///run/postgresql/shop'],
    ['postgres://a%40b:s3cret@[::1]:5432/shop', 'postgres://a%40b@[::1]:5432/shop'],
  ])('names %s without its password', (text, name) => {
    const reference = parse(text)
    expect(reference).toMatchObject({ dialect: 'postgres', name })
    expect(reference.location).toBe(text)
  })

  it.each([
    ['mysql://reader:s3cret@db.example:3307/shop?ssl-mode=REQUIRED', 'mysql://reader@db.example:3307/shop'],
    ['mariadb://reader:s3cret@db.example/shop', 'mysql://reader@db.example/shop'],
    ['mysql:///shop?socket=/run/mysqld/mysqld.sock', 'mysql:///run/mysqld/mysqld.sock/shop'],
  ])('names %s without its password', (text, name) => {
    const reference = parse(text)
    expect(reference).toMatchObject({ dialect: 'mysql', name })
    expect(JSON.stringify(reference)).not.toContain('s3cret')
  })

  it.each([
    'postgres://reader:s3cr@t/w0rd@db.example:5432/shop',
    'postgres://reader:123/w0rd@db.example/shop',
    'postgres://reader:123?w0rd@db.example/shop',
    'mysql://reader:123#w0rd@db.example/shop',
  ])('shows nothing of a password that breaks the address: %s', text => {
    const { message } = refusal(text)
    expect(message).toContain('%2F for /')
    expect(message).not.toMatch(/123|w0rd|s3cr/)
  })

  it.each([
    'postgres://reader:s3cret%@db.example/shop',
    'mysql://rea%der:s3cret@db.example/shop',
    'mysql://reader:s3cret@db.example/sh%op',
  ])('says how to write a %%: %s', text => {
    const { code, message } = refusal(text)
    expect(code).toBe('unknown-database')
    expect(message).toContain('Write %25 for a %')
    expect(message).not.toContain('s3cret')
  })

  it('leaves the password out when a reference is written down', () => {
    const reference = parse('postgres://reader:s3cret@db.example/shop')
    expect(JSON.stringify(reference)).not.toContain('s3cret')
    expect(JSON.stringify({ ...reference })).not.toContain('s3cret')
  })

  it.each([
    'mysql://u:s3cret@h',
    'mysql://u:s3cret@h:port/d',
    'shop',
    '',
    'sqlite:',
    'sqlite::memory:',
    'postgres://u:s3cret@h:port/d',
  ])('refuses %j, and says what can be opened without repeating a password', text => {
    const error = refusal(text)
    expect(error.code).toBe('unknown-database')
    expect(error.message).toMatch(/sqlite:|mysql:/)
    expect(error.message).not.toContain('s3cret')
  })

  it('lists every scheme when it knows none', () => {
    expect(refusal('oracle:thing').message).toMatch(/sqlite:PATH.*postgres:\/\//)
  })
})
