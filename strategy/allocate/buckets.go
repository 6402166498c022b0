package allocate

import "math"

// buckets is a queue for many items, in the order of a queue. Only the densest bucket is a queue. The
// others are lists without an order, since most items of a choice are lowered or outdated before they
// are among the densest. The zero value is empty.
type buckets struct {
	first  queue                 // the items of bucket at, and of denser ones
	at     int                   // the buckets from this one on have no list
	lists  []int32               // by bucket: 1 + the index of its first chunk; nil while all items are in first
	chunks []*[chunksAdded]chunk // never copied, since they are large
	made   int32                 // chunks that were ever in use
	free   int32                 // 1 + the index of the first of them that is unused; 0 for none
	count  int                   // items
}

// chunkItems is the number of items in a chunk.
const chunkItems = 20

// chunk is a part of the list of a bucket.
type chunk struct {
	densities [chunkItems]float64
	ids       [chunkItems]int32 // apart from the densities, which would need gaps
	count     int32             // items in use
	next      int32             // 1 + the index of the next chunk of the bucket, or of the next unused one; 0 for none
}

// chunksAdded is the number of chunks that are allocated together, in 8 KB.
const chunksAdded = 33

// chunk returns the chunk of index place-1.
func (b *buckets) chunk(place int32) *chunk {
	return &b.chunks[uint(place-1)/chunksAdded][uint(place-1)%chunksAdded]
}

// A bucket holds the densities with the same exponent and the same first bits of the fraction.
const (
	fraction  = 8 // bits
	shift     = 52 - fraction
	leastBits = (1023 - 18) << fraction // the first bucket holds all densities below 2⁻¹⁸, too
	mostBits  = (1023 + 10) << fraction // the last bucket holds all densities above 2¹⁰, too
	inAll     = mostBits - leastBits + 1
)

// bucketOf returns the index of the bucket of a density.
func bucketOf(density float64) int {
	return min(max(int(math.Float64bits(max(density, 0))>>shift)-leastBits, 0), inAll-1)
}

// reset removes all items.
func (b *buckets) reset() {
	b.first, b.made, b.free, b.count = b.first[:0], 0, 0, 0
	if b.lists != nil {
		b.at = inAll
		clear(b.lists)
	}
}

// mostFirst is the number of items from which on a queue has lists.
const mostFirst = 4096

// push adds an item.
func (b *buckets) push(density float64, id int32) {
	b.count++
	if b.lists == nil && b.count > mostFirst {
		b.lists, b.at = make([]int32, inAll), inAll
		for _, x := range b.first {
			b.put(bucketOf(x.Density), x)
		}
		b.first = b.first[:0]
	}
	b.put(bucketOf(density), Item{density, id})
}

// put adds an item to its bucket.
func (b *buckets) put(bucket int, x Item) {
	if bucket >= b.at {
		b.first.Push(x.Density, x.ID)
		return
	}
	place := b.lists[bucket]
	if place == 0 || b.chunk(place).count == chunkItems {
		place = b.newChunk(place)
		b.lists[bucket] = place
	}
	c := b.chunk(place)
	c.densities[c.count], c.ids[c.count] = x.Density, x.ID
	c.count++
}

// newChunk returns 1 + the index of an empty chunk in front of another.
func (b *buckets) newChunk(next int32) int32 {
	place := b.free
	if place == 0 {
		if int(b.made) == len(b.chunks)*chunksAdded {
			b.chunks = append(b.chunks, new([chunksAdded]chunk))
		}
		b.made++
		place = b.made
		b.chunk(place).next = 0
	}
	c := b.chunk(place)
	b.free = c.next
	c.count, c.next = 0, next
	return place
}

// top returns the first item. The queue must not be empty. If another bucket becomes the densest, top
// calls soon with its items, unless that is nil.
func (b *buckets) top(soon func([]Item)) Item {
	for len(b.first) == 0 {
		b.at--
		if b.lists[b.at] == 0 {
			continue
		}
		b.open(b.at)
		if soon != nil {
			soon(b.first)
		}
	}
	return b.first[0]
}

// open moves the items of a bucket from their list to the heap, which is empty. The list is not read again.
func (b *buckets) open(bucket int) {
	for place := b.lists[bucket]; place != 0; {
		c := b.chunk(place)
		for i := range c.count {
			b.first = append(b.first, Item{c.densities[i], c.ids[i]})
		}
		next := c.next
		c.next, b.free = b.free, place
		place = next
	}
	b.first.Order()
}

// pop removes the item that top returned.
func (b *buckets) pop() {
	b.first.Pop()
	b.count--
}

// lower sets the density of the item that top returned. It must not rise.
func (b *buckets) lower(density float64) {
	bucket := bucketOf(density)
	if bucket >= b.at {
		b.first.Lower(density)
		return
	}
	id := b.first[0].ID
	b.first.Pop()
	b.put(bucket, Item{density, id})
}
