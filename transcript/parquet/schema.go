package parquet

import "fmt"

// Ids of the fields of the metadata that this package reads, by structure.
const (
	fileSchema, fileRows, fileGroups, fileEncryption = 2, 3, 4, 8

	elemType, elemLength, elemRepetition, elemName, elemChildren, elemConverted, elemLogical = 1, 2, 3, 4, 5, 6, 10

	groupColumns, groupBytes, groupRows, groupOffset, groupCompressed, groupOrdinal = 1, 2, 3, 5, 6, 7

	chunkPath, chunkOffset, chunkMeta, chunkOffsetIndex, chunkOffsetIndexLen, chunkColumnIndex, chunkColumnIndexLen, chunkCrypto = 1, 2, 3, 4, 5, 6, 7, 8

	metaEncodings, metaCodec, metaValues, metaUncompressed, metaCompressed, metaDataPage, metaIndexPage, metaDictPage = 2, 4, 5, 6, 7, 9, 10, 11
	metaStatistics, metaEncodingStats, metaBloom, metaBloomLen, metaSizes, metaGeo                                    = 12, 13, 14, 15, 16, 17
)

// Physical types of leaves.
const (
	physBoolean = iota
	physInt32
	physInt64
	physInt96
	physFloat
	physDouble
	physBytes
	physFixed
)

// Kinds of nodes by their form in JSON.
const (
	kindLeaf = iota
	kindGroup
	kindList // one child, the repeated node
)

// A node is an element of the schema.
type node struct {
	name     string
	kind     int
	optional bool
	repeated bool
	inner    bool // the repeated group of a list, whose only child is the element
	def, rep uint8
	children []*node
	leaves   []*leaf // below the node, or the leaf itself
}

// A leaf is a column with values.
type leaf struct {
	index          int // among the leaves
	phys           int
	width          int // bytes of a value; 0 for byte arrays
	maxDef, maxRep uint8
}

const (
	convertedList = 3
	logicalList   = 3
)

// readSchema returns the root of the schema and its leaves.
func readSchema(elems []*structure) (*node, []*leaf, error) {
	s := &schema{elems: elems}
	root, err := s.node(0, 0, 0)
	if err == nil && (len(s.elems) > 0 || root.kind == kindLeaf) {
		err = errMetadata
	}
	return root, s.leaves, err
}

// schema is the state of readSchema.
type schema struct {
	elems  []*structure // not read yet
	leaves []*leaf
}

// node reads the next element and those below it. def and rep are the levels of its parent.
func (s *schema) node(depth int, def, rep uint8) (*node, error) {
	if len(s.elems) == 0 || depth > deepest {
		return nil, errMetadata
	}
	e := s.elems[0]
	s.elems = s.elems[1:]
	n := &node{name: e.text(elemName), def: def, rep: rep}
	if depth > 0 {
		n.optional, n.repeated = e.int(elemRepetition) == 1, e.int(elemRepetition) == 2
	}
	if n.optional || n.repeated {
		n.def++
	}
	if n.repeated {
		n.rep++
	}
	if e.has(elemType) {
		return s.leaf(n, e)
	}
	n.kind = kindGroup
	first := len(s.leaves)
	for range e.int(elemChildren) {
		c, err := s.node(depth+1, n.def, n.rep)
		if err != nil {
			return nil, err
		}
		n.children = append(n.children, c)
	}
	n.leaves = s.leaves[first:]
	if len(n.leaves) == 0 {
		return nil, fmt.Errorf("the group %q has no columns", n.name)
	}
	isList := e.int(elemConverted) == convertedList || e.sub(elemLogical).sub(logicalList) != nil
	if isList && len(n.children) == 1 && n.children[0].repeated {
		n.kind = kindList
		c := n.children[0]
		// Writers of old made the repeated group the element; its name says so.
		c.inner = c.kind == kindGroup && len(c.children) == 1 && c.name != "array" && c.name != n.name+"_tuple"
	}
	return n, nil
}

// leaf makes n a leaf.
func (s *schema) leaf(n *node, e *structure) (*node, error) {
	l := &leaf{index: len(s.leaves), phys: int(e.int(elemType)), maxDef: n.def, maxRep: n.rep}
	switch l.phys {
	case physBoolean:
		l.width = 1
	case physInt32, physFloat:
		l.width = 4
	case physInt64, physDouble:
		l.width = 8
	case physInt96:
		l.width = 12
	case physFixed:
		l.width = int(e.int(elemLength))
		if l.width <= 0 {
			return nil, errMetadata
		}
	case physBytes:
	default:
		return nil, fmt.Errorf("the column %q has an unknown type", n.name)
	}
	s.leaves = append(s.leaves, l)
	n.leaves = s.leaves[l.index:]
	return n, nil
}
