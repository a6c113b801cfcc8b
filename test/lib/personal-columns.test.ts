import { describe, expect, it } from 'vitest'
import { isPersonalColumn } from '../../src/lib/personal-columns.ts'

const isPersonal = (place: string, kind = 'text'): boolean => {
  const [table = '', column = ''] = place.split('.')
  return isPersonalColumn({ name: column, kind, profile: null }, { name: table })
}

const profileOf = (values: readonly string[], pattern?: string) => ({
  mostFrequent: values.map(value => ({ value })),
  ...(pattern === undefined ? {} : { format: { pattern } }),
})

const isWrittenPersonal = (values: readonly string[], pattern?: string): boolean =>
  isPersonalColumn({ name: 'extra', kind: 'text', profile: profileOf(values, pattern) }, { name: 'ferries' })

describe('a personal column', () => {
  it.each(
    [
      'crew.email crew.EMailAddress crew.work_email crew.e_mail_address pier.courriel pier.correo_electronico',
      'crew.phone crew.home_phone crew.PhoneNumber crew.mobile crew.cell_number crew.fax pier.telefonnummer',
      'pier.telefono pier.contact_number',
      'pier.street pier.street_address pier.address pier.addr1 pier.address_line_2 pier.BillingAddress',
      'addresses.line_1 addresses.building pier.strasse pier.hausnummer pier.anschrift pier.rue pier.direccion',
      'x.first_name x.LastName x.lname x.LName x.EMP_FNAME x.surname x.middle_name x.maiden_name x.full_name',
      'x.vorname x.nachname x.prenom x.nom_de_famille x.apellidos x.username x.login_name',
      'customers.name dim_customer.name customer_details.full_name people.name Mitarbeiter.name employes.nom',
      'empleados.nombre orders.customer_name ships.contact_name ships.employee_full_name cust.cust_name',
      'x.ssn x.social_security_number x.national_id x.passport_no x.taxid x.tax_id customers.customer_tax_number',
      'x.steuer_id x.dni x.curp x.drivers_license x.iban x.credit_card_number x.password x.password_hash',
    ].flatMap(line => line.split(' ')),
  )('%s by its name', place => {
    expect(isPersonal(place)).toBe(true)
  })

  it.each([
    'x.birth_date',
    'x.DateOfBirth',
    'x.dob',
    'x.geburtsdatum',
    'x.date_naissance',
    'x.fecha_nacimiento',
  ])('%s by its name, as text, day or moment', place => {
    for (const kind of ['text', 'date', 'timestamp']) expect(isPersonal(place, kind)).toBe(true)
  })

  it('may be numbers: phones and national ids', () => {
    expect(isPersonal('crew.phone', 'integer')).toBe(true)
    expect(isPersonal('crew.ssn', 'integer')).toBe(true)
    expect(isPersonal('orders.tax_id', 'integer')).toBe(false)
  })

  it.each(
    [
      'ships.name harbors.name products.product_name companies.company_name ships.class_name artists.name',
      'crew.email_type crew.email_verified crew.phone_type crew.phone_model crew.email_count mails.subject',
      'pier.city pier.country pier.zip_code pier.state pier.address_id pier.address_type pier.web_address',
      'pier.ip_country x.birth_place x.birth_country x.birth_rate x.username_count ships.building_full_name',
      'orders.status x.cell_type taxes.tax_code council.council_tax_id cards.card_id ships.hull_number',
    ].flatMap(line => line.split(' ')),
  )('%s is none', place => {
    expect(isPersonal(place)).toBe(false)
  })

  it('is known by how its values are written', () => {
    expect(isWrittenPersonal(['ada@pier.example', 'b.c@ferry.example', 'dee+1@pier.example'])).toBe(true)
    expect(isWrittenPersonal(['+47 55 12 34 56', '+49 (0)30 123456', '(555) 123-4567x89'])).toBe(true)
    expect(isWrittenPersonal(['078-05-1120', '219-09-9999'])).toBe(true)
    expect(isWrittenPersonal(['DE89 3704 0044 0532 0130 00', 'NO9386011117947'])).toBe(true)
    // Codes of the same shape fail the check digits.
    expect(isWrittenPersonal(['AB12CDEF34567890', 'AB13CDEF34567891'])).toBe(false)
    expect(isWrittenPersonal([], 'a+@a+.a+')).toBe(true)
    expect(isWrittenPersonal([], '(999) 999-9999')).toBe(true)
  })

  it('is not a column of codes, days or words with one odd value', () => {
    expect(isWrittenPersonal(['BG-0001', 'BG-0002'], 'AA-9999')).toBe(false)
    expect(isWrittenPersonal(['2026-05-01', '2026-05-02'], 'YYYY-MM-DD')).toBe(false)
    expect(isWrittenPersonal(['night', 'day', 'ask crew@pier.example', 'none'])).toBe(false)
    expect(isWrittenPersonal([])).toBe(false)
  })
})
