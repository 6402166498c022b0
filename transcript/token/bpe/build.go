package bpe

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Build returns the tables of a vocabulary, given its tokens in the order of their
// numbers. Each byte must be a token, and each other token must be the result of
// joining its bytes. Equal tokens have equal tables.
func Build(tokens []string) ([]byte, error) {
	if len(tokens) > idMask {
		return nil, fmt.Errorf("%d tokens, more than %d", len(tokens), idMask)
	}
	ids := make(map[string]uint32, len(tokens))
	for id, token := range tokens {
		if token == "" || len(token) > 0xff {
			return nil, fmt.Errorf("token %d has %d bytes", id, len(token))
		}
		if first, twice := ids[token]; twice {
			return nil, fmt.Errorf("tokens %d and %d are the same", first, id)
		}
		ids[token] = uint32(id)
	}
	for b := range 256 {
		if _, ok := ids[string([]byte{byte(b)})]; !ok {
			return nil, fmt.Errorf("no token is the byte %#02x", b)
		}
	}
	units, err := buildTrie(tokens)
	if err != nil {
		return nil, err
	}
	records, err := buildRecords(tokens, ids)
	if err != nil {
		return nil, err
	}
	pairs, filter := buildPairs(records)

	var out []byte
	for _, n := range []int{len(units) * 4, len(records) * 8, len(pairs) * 4, len(filter)} {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	for _, u := range units {
		out = binary.LittleEndian.AppendUint32(out, u)
	}
	for _, r := range records {
		out = binary.LittleEndian.AppendUint64(out, uint64(r))
	}
	for _, p := range pairs {
		out = binary.LittleEndian.AppendUint32(out, p)
	}
	return append(out, filter...), nil
}

// buildRecords returns the record of each token.
func buildRecords(tokens []string, ids map[string]uint32) ([]record, error) {
	records := make([]record, len(tokens))
	for id, token := range tokens {
		left, right, err := lastJoin(token, ids)
		if err != nil {
			return nil, fmt.Errorf("token %d: %w", id, err)
		}
		prefix := uint32(id)
		for n := len(token) - 1; n > 0; n-- {
			if p, ok := ids[token[:n]]; ok {
				prefix = p
				break
			}
		}
		records[id] |= record(left) | record(right)<<rightAt | record(prefix)<<prefixAt | record(len(token))<<lengthAt
		if len(token) > 1 {
			records[left] |= grows
			records[right] |= ends
		}
	}
	return records, nil
}

// lastJoin returns the two tokens that are joined last into token, or its number twice
// for a byte. It follows the definition of byte pair encoding and is slow.
func lastJoin(token string, ids map[string]uint32) (left, right uint32, err error) {
	if len(token) == 1 {
		return ids[token], ids[token], nil
	}
	ends := make([]int, len(token)+1) // ends of the parts, after a 0
	for i := range ends {
		ends[i] = i
	}
	for len(ends) > 3 {
		best, at := uint32(none), 0
		for i := range len(ends) - 2 {
			if id, ok := ids[token[ends[i]:ends[i+2]]]; ok && id < best {
				best, at = id, i+1
			}
		}
		if best >= ids[token] {
			return 0, 0, errors.New("joining its bytes does not result in it")
		}
		ends = slices.Delete(ends, at, at+1)
	}
	return ids[token[:ends[1]]], ids[token[ends[1]:]], nil
}

// buildPairs returns the hash table that [vocab.joins] reads, and its filter. The table
// has room for twice the tokens, so that most searches end at an empty entry.
func buildPairs(records []record) (pairs []uint32, filter []byte) {
	bits := 1
	for 1<<bits < 2*len(records) {
		bits++
	}
	pairs = make([]uint32, 1<<bits)
	filter = make([]byte, max(1, 1<<(bits+filterBits)/8))
	for id, r := range records {
		if r.length() == 1 {
			continue
		}
		h := hashPair(r.left(), r.right())
		bit := h >> (64 - bits - filterBits)
		filter[bit>>3] |= 1 << (bit & 7)
		at := int(h >> (64 - bits))
		for ; at < len(pairs) && pairs[at] != 0; at++ {
		}
		if at == len(pairs) {
			pairs = append(pairs, 0)
		}
		pairs[at] = uint32(id) | tag(h)<<idBits
	}
	return append(pairs, 0), filter // the 0 ends a search at the end of the table
}
