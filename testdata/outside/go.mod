module outside

go 1.26.0

require condense v0.0.0

replace condense => ../..
