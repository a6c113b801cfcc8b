import { commonFunctions, functionNames } from '../standard-sql.ts'

/** Functions of Snowflake that only compute: nothing of the system, no stage, no earlier result, no model. */
export const snowflakeFunctions: ReadonlySet<string> = new Set([
  ...commonFunctions,
  ...functionNames(
    `approx_count_distinct approx_percentile approx_top_k array_agg array_union_agg array_unique_agg bitand_agg
     bitor_agg bitxor_agg booland_agg boolor_agg boolxor_agg count_if hash_agg hll kurtosis listagg max_by median min_by
     mode object_agg percentile_cont percentile_disc skew stddev variance_samp variance_pop var_samp grouping_id
     conditional_change_event conditional_true_event ratio_to_report`,
    `iff ifnull nvl nvl2 zeroifnull nullifzero decode equal_null booland boolor boolnot boolxor greatest_ignore_nulls
     least_ignore_nulls regr_valx regr_valy`,
    `bitand bitor bitxor bitnot bitshiftleft bitshiftright cbrt cosh sinh tanh acosh asinh atanh div0 div0null factorial
     haversine square truncate width_bucket hash uniform random seq1 seq2 seq4 seq8 normal zipf`,
    `ascii bit_length charindex chr collate contains editdistance endswith hex_encode hex_decode_string initcap insert
     jarowinkler_similarity left len lpad ltrim md5 md5_hex sha1 sha1_hex sha2 sha2_hex base64_encode
     base64_decode_string octet_length parse_url regexp_count regexp_instr regexp_like regexp_replace regexp_substr
     regexp_substr_all repeat reverse right rlike rpad rtrim soundex space split split_part split_to_table
     startswith strtok strtok_to_array substr translate unicode`,
    `add_months convert_timezone date date_from_parts date_part date_trunc dateadd datediff dayname day dayofmonth
     dayofweek dayofweekiso dayofyear extract hour last_day minute month monthname months_between next_day previous_day
     quarter second time time_from_parts time_slice timeadd timediff timestamp_from_parts timestamp_ntz_from_parts
     timestamp_tz_from_parts timestampadd timestampdiff trunc week weekiso weekofyear year yearofweek yearofweekiso
     current_date current_time current_timestamp getdate localtime localtimestamp sysdate`,
    `to_array to_binary to_boolean to_char to_date to_decimal to_double to_geography to_geometry to_json to_number
     to_numeric to_object to_time to_timestamp to_timestamp_ltz to_timestamp_ntz to_timestamp_tz to_varchar to_variant
     to_xml try_cast try_parse_json try_to_binary try_to_boolean try_to_date try_to_decimal try_to_double try_to_number
     try_to_numeric try_to_time try_to_timestamp try_to_timestamp_ltz try_to_timestamp_ntz try_to_timestamp_tz typeof`,
    `array_append array_cat array_compact array_construct array_construct_compact array_contains array_distinct
     array_except array_flatten array_generate_range array_insert array_intersection array_max array_min array_position
     array_prepend array_remove array_reverse array_size array_slice array_sort array_to_string arrays_overlap
     arrays_to_object arrays_zip as_array as_boolean as_char as_date as_decimal as_double as_integer as_number as_object
     as_real as_time as_timestamp_ntz as_varchar check_json flatten get get_path is_array is_boolean is_char is_date
     is_decimal is_double is_integer is_null_value is_object is_real is_time is_timestamp_ntz is_varchar
     object_construct object_construct_keep_null object_delete object_insert object_keys object_pick parse_json
     strip_null_value filter transform reduce table`,
    `st_area st_asgeojson st_astext st_aswkt st_azimuth st_buffer st_centroid st_collect st_contains st_coveredby
     st_covers st_difference st_dimension st_disjoint st_distance st_dwithin st_endpoint st_envelope
     st_geographyfromwkt st_geogfromtext st_geohash st_intersection st_intersects st_isvalid st_length st_makeline
     st_makepoint st_makepolygon st_npoints st_perimeter st_point st_simplify st_srid st_startpoint st_union st_within
     st_x st_xmax st_xmin st_y st_ymax st_ymin h3_cell_to_parent h3_latlng_to_cell`,
  ),
])
